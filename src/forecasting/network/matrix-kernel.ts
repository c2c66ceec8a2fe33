import { encodeModule, op } from './wasm-encoder.js';

/**
 * Single-precision matrix product in 128-bit SIMD. Only IEEE multiplication and addition are used, in one fixed order per
 * result (k ascending), never a fused or "relaxed" instruction: every machine computes the same bits, and a row's result
 * does not depend on how many rows are computed with it.
 */

/** Columns of a panel. Right-hand matrices are stored as panels: `panel[p][k][lane]` holds column `8 p + lane` of row k. */
export const PANEL_COLUMNS = 8;
const FLOAT = 4;
const ROWS = 4;

/** All addresses and strides are in bytes. `multiply` computes C += A B. */
interface Product {
  /** A is m x k; element (i, j) lies at `a + i * aRow + j * aColumn`. */
  readonly a: number;
  readonly aRow: number;
  readonly aColumn: number;
  readonly m: number;
  readonly k: number;
  /** B in panels, one after the other, each k x 8. */
  readonly b: number;
  readonly panels: number;
  /** C; row i of panel p lies at `c + p * cPanel + i * cRow`. */
  readonly c: number;
  readonly cRow: number;
  readonly cPanel: number;
}

/** The compiled kernel. */
export type Multiply = (product: Product) => void;

/** Numbers of the locals: parameters, integers, then vectors. */
const P = { a: 0, aRow: 1, aColumn: 2, m: 3, k: 4, b: 5, panels: 6, c: 7, cRow: 8, cPanel: 9 } as const;
const PARAMETERS = 10;
const I = { aBlock: 10, cBlock: 11, rows: 12, steps: 13, bAt: 14, aAt: 15 } as const; // aAt takes ROWS locals
const INTEGERS = 5 + ROWS;
const V = { left: PARAMETERS + INTEGERS, right: PARAMETERS + INTEGERS + 1, sums: PARAMETERS + INTEGERS + 3 } as const;
const VECTORS = 3 + 2 * ROWS;

const advance = (local: number, by: readonly number[]): number[] => [
  ...op.get(local),
  ...by,
  ...op.add,
  ...op.set(local),
];

const HALVES = [0, 1] as const;

/** Local of the sums of one half (four columns) of a row of the panel. */
const sum = (row: number, half: number): number => V.sums + 2 * row + half;

const forEachRow = (rows: number, emit: (row: number) => number[]): number[] =>
  Array.from({ length: rows }, (_, row) => emit(row)).flat();

const rowAddress = (base: number, stride: number, row: number): number[] => [
  ...op.get(base),
  ...op.get(stride),
  ...op.constant(row),
  ...op.multiply,
  ...op.add,
];

/** Loads the sums of a row from C, and the address of its first element in A. */
const loadRow = (row: number): number[] => [
  ...HALVES.flatMap((half) => [
    ...rowAddress(I.cBlock, P.cRow, row),
    ...op.loadVector(16 * half),
    ...op.set(sum(row, half)),
  ]),
  ...rowAddress(I.aBlock, P.aRow, row),
  ...op.set(I.aAt + row),
];

/** Adds one element of A times the loaded row of B, and moves on to the next element. */
const accumulateRow = (row: number): number[] => [
  ...op.get(I.aAt + row),
  ...op.loadSplat(0),
  ...op.set(V.left),
  ...HALVES.flatMap((half) => [
    ...op.get(sum(row, half)),
    ...op.get(V.left),
    ...op.get(V.right + half),
    ...op.multiplyVectors,
    ...op.addVectors,
    ...op.set(sum(row, half)),
  ]),
  ...advance(I.aAt + row, op.get(P.aColumn)),
];

const storeRow = (row: number): number[] =>
  HALVES.flatMap((half) => [
    ...rowAddress(I.cBlock, P.cRow, row),
    ...op.get(sum(row, half)),
    ...op.storeVector(16 * half),
  ]);

/** Accumulates `rows` rows of one panel in registers over all of k, and moves on to the next block of rows. */
function block(rows: number): number[] {
  return [
    ...forEachRow(rows, loadRow),
    ...op.get(P.k),
    ...op.set(I.steps),
    ...op.get(P.b),
    ...op.set(I.bAt),
    ...op.loop([
      ...HALVES.flatMap((half) => [...op.get(I.bAt), ...op.loadVector(16 * half), ...op.set(V.right + half)]),
      ...forEachRow(rows, accumulateRow),
      ...advance(I.bAt, op.constant(PANEL_COLUMNS * FLOAT)),
      ...advance(I.steps, op.constant(-1)),
      ...op.get(I.steps),
      ...op.branchIf(0),
    ]),
    ...forEachRow(rows, storeRow),
    ...[I.aBlock, I.cBlock].flatMap((at, which) =>
      advance(at, [...op.get(which === 0 ? P.aRow : P.cRow), ...op.constant(rows), ...op.multiply]),
    ),
    ...advance(I.rows, op.constant(-rows)),
  ];
}

/** Repeats `block(rows)` while at least that many rows are left. */
function whileRowsLeft(rows: number): number[] {
  const leave = [...op.get(I.rows), ...op.constant(rows), ...op.lessThan, ...op.branchIf(1)];
  return op.block(op.loop([...leave, ...block(rows), ...op.branch(0)]));
}

function kernelBytes(sharedPages: number | undefined): Uint8Array {
  const body = op.loop([
    ...op.get(P.a),
    ...op.set(I.aBlock),
    ...op.get(P.c),
    ...op.set(I.cBlock),
    ...op.get(P.m),
    ...op.set(I.rows),
    ...whileRowsLeft(ROWS),
    ...whileRowsLeft(1),
    ...advance(P.b, [...op.get(P.k), ...op.constant(PANEL_COLUMNS * FLOAT), ...op.multiply]),
    ...advance(P.c, op.get(P.cPanel)),
    ...advance(P.panels, op.constant(-1)),
    ...op.get(P.panels),
    ...op.branchIf(0),
  ]);
  return encodeModule(
    { exportName: 'multiply', parameters: PARAMETERS, integers: INTEGERS, vectors: VECTORS, body },
    sharedPages,
  );
}

/**
 * Compiles the kernel over a memory (well under a millisecond).
 * @param sharedPages the maximum with which `memory` was made, if it is shared between threads.
 */
export function createMultiply(memory: WebAssembly.Memory, sharedPages?: number): Multiply {
  const instance = new WebAssembly.Instance(new WebAssembly.Module(kernelBytes(sharedPages)), { env: { memory } });
  const multiply = instance.exports['multiply'] as (...parameters: number[]) => void;
  return (p) => {
    if (p.m <= 0 || p.k <= 0 || p.panels <= 0) return;
    multiply(p.a, p.aRow, p.aColumn, p.m, p.k, p.b, p.panels, p.c, p.cRow, p.cPanel);
  };
}
