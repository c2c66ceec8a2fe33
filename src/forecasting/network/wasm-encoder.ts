/**
 * Just enough of the WebAssembly binary format (core specification 2.0, chapter 5) to encode one module with one exported
 * function over an imported memory. It keeps the kernel readable as instructions, with no compiler among the dependencies.
 */

const I32 = 0x7f;
const V128 = 0x7b;

/** Unsigned LEB128. */
function unsigned(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  do {
    const low = rest & 0x7f;
    rest >>>= 7;
    bytes.push(rest === 0 ? low : low | 0x80);
  } while (rest !== 0);
  return bytes;
}

/** Signed LEB128, for constants. */
function signed(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (;;) {
    const low = rest & 0x7f;
    rest >>= 7;
    const done = (rest === 0 && (low & 0x40) === 0) || (rest === -1 && (low & 0x40) !== 0);
    bytes.push(done ? low : low | 0x80);
    if (done) return bytes;
  }
}

const vector = (opcode: number): number[] => [0xfd, ...unsigned(opcode)];
/** Alignment hint (log2 bytes; 2 = 4 bytes, always true here) and a constant byte offset. */
const address = (offset: number): number[] => [2, ...unsigned(offset)];

/** Instructions, each a byte sequence; a function body is their concatenation. */
export const op = {
  get: (local: number) => [0x20, ...unsigned(local)],
  set: (local: number) => [0x21, ...unsigned(local)],
  constant: (value: number) => [0x41, ...signed(value)],
  add: [0x6a],
  multiply: [0x6c],
  lessThan: [0x48],
  /** `block`/`loop` without results; `branchIf(0)` repeats the innermost loop or leaves the innermost block. */
  block: (body: readonly number[]) => [0x02, 0x40, ...body, 0x0b],
  loop: (body: readonly number[]) => [0x03, 0x40, ...body, 0x0b],
  branch: (depth: number) => [0x0c, ...unsigned(depth)],
  branchIf: (depth: number) => [0x0d, ...unsigned(depth)],
  loadVector: (offset: number) => [...vector(0x00), ...address(offset)],
  loadSplat: (offset: number) => [...vector(0x09), ...address(offset)],
  storeVector: (offset: number) => [...vector(0x0b), ...address(offset)],
  addVectors: vector(0xe4),
  multiplyVectors: vector(0xe6),
} as const;

const section = (id: number, content: readonly number[]): number[] => [id, ...unsigned(content.length), ...content];
const name = (text: string): number[] => [...unsigned(text.length), ...Array.from(text, (c) => c.charCodeAt(0))];

/** The one function of a module. */
export interface FunctionDefinition {
  readonly exportName: string;
  /** Number of i32 parameters; they are locals 0 .. parameters - 1. */
  readonly parameters: number;
  /** Further i32 locals, numbered after the parameters. */
  readonly integers: number;
  /** v128 locals, numbered after the integers. */
  readonly vectors: number;
  readonly body: readonly number[];
}

/**
 * Encodes a module that imports `env.memory` and exports one function without results.
 * @param sharedPages maximum size in 64 KiB pages when the memory is shared between threads; undefined for a private one.
 */
export function encodeModule(definition: FunctionDefinition, sharedPages: number | undefined): Uint8Array {
  const { parameters, integers, vectors, body, exportName } = definition;
  const type = [0x60, ...unsigned(parameters), ...new Array<number>(parameters).fill(I32), 0];
  const limits = sharedPages === undefined ? [0x00, 0] : [0x03, 0, ...unsigned(sharedPages)];
  const locals = [2, ...unsigned(integers), I32, ...unsigned(vectors), V128];
  const code = [...locals, ...body, 0x0b];
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [1, ...type]),
    ...section(2, [1, ...name('env'), ...name('memory'), 0x02, ...limits]),
    ...section(3, [1, 0]),
    ...section(7, [1, ...name(exportName), 0x00, 0]),
    ...section(10, [1, ...unsigned(code.length), ...code]),
  ]);
}
