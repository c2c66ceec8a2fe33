import { createMultiply, type Multiply, PANEL_COLUMNS } from './matrix-kernel.js';
import { type DenseLayer, INPUTS, networkLayout, type NetworkLayout, OUTPUTS } from './shape.js';
import type { NetworkWeights } from './weights.js';

const FLOAT = 4;
const PAGE_BYTES = 65536;

/** Forward passes over a fixed block of rows. All buffers are made once, inside the kernel's memory. */
export class NetworkInference {
  /** Input rows, row-major, {@link INPUTS} numbers each; written by the caller before {@link run}. */
  readonly inputs: Float32Array;
  /** Output rows, row-major, {@link OUTPUTS} numbers each; valid until the next {@link run}. */
  readonly outputs: Float32Array;

  readonly #layout: NetworkLayout;
  readonly #floats: Float32Array;
  readonly #multiply: Multiply;
  readonly #hidden: number;
  readonly #state: number;
  readonly #inner: number;

  /** @param capacity rows of a block. */
  constructor(
    weights: NetworkWeights,
    readonly capacity: number,
  ) {
    const layout = networkLayout(weights.shape);
    const hidden = weights.shape.hidden;
    const floats = layout.size + capacity * (INPUTS + OUTPUTS + 2 * hidden);
    const memory = new WebAssembly.Memory({ initial: Math.ceil((floats * FLOAT) / PAGE_BYTES) });
    this.#layout = layout;
    this.#hidden = hidden;
    this.#multiply = createMultiply(memory);
    this.#floats = new Float32Array(memory.buffer);
    this.#floats.set(weights.parameters);
    const inputs = layout.size;
    const outputs = inputs + capacity * INPUTS;
    this.inputs = this.#floats.subarray(inputs, outputs);
    this.outputs = this.#floats.subarray(outputs, outputs + capacity * OUTPUTS);
    this.#state = outputs + capacity * OUTPUTS;
    this.#inner = this.#state + capacity * hidden;
  }

  /** Computes the first `wanted` rows. A row's result does not depend on the others. */
  run(wanted: number): void {
    // The kernel takes four rows about as fast as two: a last block of two or three is filled up with whatever lies there.
    const rows = wanted % 4 > 1 ? Math.min(this.capacity, Math.ceil(wanted / 4) * 4) : wanted;
    const { input, blocks, output, skip } = this.#layout;
    const x = this.inputs.byteOffset / FLOAT;
    const y = this.outputs.byteOffset / FLOAT;
    this.#fillBias(input, this.#state, rows);
    this.#apply(input, x, this.#state, rows);
    this.#rectify(this.#state, rows);
    for (const { expand, project } of blocks) {
      this.#fillBias(expand, this.#inner, rows);
      this.#apply(expand, this.#state, this.#inner, rows);
      this.#rectify(this.#inner, rows);
      this.#addBias(project, this.#state, rows);
      this.#apply(project, this.#inner, this.#state, rows);
    }
    this.#fillBias(output, y, rows);
    this.#apply(output, this.#state, y, rows);
    this.#apply(skip, x, y, rows);
  }

  /** to += from W. */
  #apply(layer: DenseLayer, from: number, to: number, rows: number): void {
    this.#multiply({
      a: from * FLOAT,
      aRow: layer.inputs * FLOAT,
      aColumn: FLOAT,
      m: rows,
      k: layer.inputs,
      b: layer.weights * FLOAT,
      panels: layer.outputs / PANEL_COLUMNS,
      c: to * FLOAT,
      cRow: layer.outputs * FLOAT,
      cPanel: PANEL_COLUMNS * FLOAT,
    });
  }

  #fillBias(layer: DenseLayer, to: number, rows: number): void {
    const bias = layer.bias!;
    for (let row = 0; row < rows; row++) this.#floats.copyWithin(to + row * layer.outputs, bias, bias + layer.outputs);
  }

  #addBias(layer: DenseLayer, to: number, rows: number): void {
    const floats = this.#floats;
    const bias = layer.bias!;
    for (let row = 0, at = to; row < rows; row++)
      for (let j = 0; j < layer.outputs; j++, at++) floats[at]! += floats[bias + j]!;
  }

  #rectify(from: number, rows: number): void {
    const floats = this.#floats;
    for (let at = from; at < from + rows * this.#hidden; at++) if (floats[at]! < 0) floats[at] = 0;
  }
}
