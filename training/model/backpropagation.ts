import { createMultiply, type Multiply, PANEL_COLUMNS } from '../../src/forecasting/network/matrix-kernel.js';
import { type DenseLayer, OUTPUTS } from '../../src/forecasting/network/shape.js';
import { FLOAT, type ShardLayout, type TrainingMemory } from './memory.js';

/** Forward and backward pass of the network over the rows of one shard, in the shared training memory. */
export class Backpropagation {
  readonly floats: Float32Array;
  readonly #multiply: Multiply;
  readonly #hidden: number;

  constructor(
    readonly memory: TrainingMemory,
    buffer: WebAssembly.Memory,
  ) {
    this.floats = new Float32Array(buffer.buffer);
    this.#multiply = createMultiply(buffer, memory.pages);
    this.#hidden = memory.layout.input.outputs;
  }

  /** Outputs of the shard's rows from its inputs; keeps what {@link backward} needs. */
  forward(shard: ShardLayout): void {
    const { layout } = this.memory;
    const first = shard.states[0]!;
    this.#fillBias(layout.input, first);
    this.#apply(layout.input, shard.inputs, first);
    this.#rectify(first);
    layout.blocks.forEach(({ expand, project }, i) => {
      const before = shard.states[i]!;
      const after = shard.states[i + 1]!;
      const inner = shard.inner[i]!;
      this.#fillBias(expand, inner);
      this.#apply(expand, before, inner);
      this.#rectify(inner);
      this.#fillBias(project, after);
      this.#addTo(after, before, this.memory.rows * this.#hidden);
      this.#apply(project, inner, after);
    });
    this.#fillBias(layout.output, shard.outputs);
    this.#apply(layout.output, shard.states.at(-1)!, shard.outputs);
    this.#apply(layout.skip, shard.inputs, shard.outputs);
  }

  /**
   * Gradient of the loss with respect to every parameter, from the gradient with respect to the outputs. The transposed weights
   * must be those of the present parameters, see {@link transposeWeights}.
   */
  backward(shard: ShardLayout): void {
    const { layout, rows } = this.memory;
    const { floats } = this;
    const count = rows * this.#hidden;
    floats.fill(0, shard.gradient, shard.gradient + layout.size);

    this.#pack(shard.outputGradient, OUTPUTS, shard.packed);
    this.#weightGradient(layout.output, shard.states.at(-1)!, shard);
    this.#weightGradient(layout.skip, shard.inputs, shard);
    this.#biasGradient(layout.output, shard.outputGradient, shard);
    floats.fill(0, shard.stateGradient, shard.stateGradient + count);
    this.#inputGradient(layout.output, shard.outputGradient, shard.stateGradient);

    for (let i = layout.blocks.length - 1; i >= 0; i--) {
      const { expand, project } = layout.blocks[i]!;
      const inner = shard.inner[i]!;
      this.#pack(shard.stateGradient, this.#hidden, shard.packed);
      this.#weightGradient(project, inner, shard);
      this.#biasGradient(project, shard.stateGradient, shard);
      floats.fill(0, shard.innerGradient, shard.innerGradient + count);
      this.#inputGradient(project, shard.stateGradient, shard.innerGradient);
      this.#maskWhereZero(shard.innerGradient, inner);
      this.#pack(shard.innerGradient, this.#hidden, shard.packed);
      this.#weightGradient(expand, shard.states[i]!, shard);
      this.#biasGradient(expand, shard.innerGradient, shard);
      this.#inputGradient(expand, shard.innerGradient, shard.stateGradient);
    }
    this.#maskWhereZero(shard.stateGradient, shard.states[0]!);
    this.#pack(shard.stateGradient, this.#hidden, shard.packed);
    this.#weightGradient(layout.input, shard.inputs, shard);
    this.#biasGradient(layout.input, shard.stateGradient, shard);
  }

  /** Writes the transposes (in panels) of the weights that gradients flow back through. */
  transposeWeights(): void {
    const { layout } = this.memory;
    for (const layer of [...layout.blocks.flatMap(({ expand, project }) => [expand, project]), layout.output])
      this.#transpose(layer);
  }

  /** Every bias and weight lies at the same offset in the parameter vector and in its transposed copy. */
  #transpose({ inputs, outputs, weights }: DenseLayer): void {
    const { floats } = this;
    const from = this.memory.parameters + weights;
    const to = this.memory.transposed + weights;
    for (let o = 0; o < outputs; o++) {
      const source = from + (o - (o % PANEL_COLUMNS)) * inputs + (o % PANEL_COLUMNS);
      for (let i = 0; i < inputs; i++) {
        const lane = i % PANEL_COLUMNS;
        floats[to + (i - lane) * outputs + o * PANEL_COLUMNS + lane] = floats[source + i * PANEL_COLUMNS]!;
      }
    }
  }

  /** to += from W. */
  #apply(layer: DenseLayer, from: number, to: number): void {
    this.#multiply({
      ...{ a: from * FLOAT, aRow: layer.inputs * FLOAT, aColumn: FLOAT, m: this.memory.rows, k: layer.inputs },
      ...{ b: (this.memory.parameters + layer.weights) * FLOAT, panels: layer.outputs / PANEL_COLUMNS },
      ...{ c: to * FLOAT, cRow: layer.outputs * FLOAT, cPanel: PANEL_COLUMNS * FLOAT },
    });
  }

  /** to += gradient W', the transpose already in panels. */
  #inputGradient(layer: DenseLayer, gradient: number, to: number): void {
    this.#multiply({
      ...{ a: gradient * FLOAT, aRow: layer.outputs * FLOAT, aColumn: FLOAT, m: this.memory.rows, k: layer.outputs },
      ...{ b: (this.memory.transposed + layer.weights) * FLOAT, panels: layer.inputs / PANEL_COLUMNS },
      ...{ c: to * FLOAT, cRow: layer.inputs * FLOAT, cPanel: PANEL_COLUMNS * FLOAT },
    });
  }

  /** Gradient of the weights += from' gradient, the gradient packed in `shard.packed`; the result is in panels like the weights. */
  #weightGradient(layer: DenseLayer, from: number, shard: ShardLayout): void {
    this.#multiply({
      ...{ a: from * FLOAT, aRow: FLOAT, aColumn: layer.inputs * FLOAT, m: layer.inputs, k: this.memory.rows },
      ...{ b: shard.packed * FLOAT, panels: layer.outputs / PANEL_COLUMNS },
      c: (shard.gradient + layer.weights) * FLOAT,
      ...{ cRow: PANEL_COLUMNS * FLOAT, cPanel: layer.inputs * PANEL_COLUMNS * FLOAT },
    });
  }

  #biasGradient(layer: DenseLayer, gradient: number, shard: ShardLayout): void {
    if (layer.bias === undefined) return;
    const { floats } = this;
    const to = shard.gradient + layer.bias;
    for (let row = 0, at = gradient; row < this.memory.rows; row++)
      for (let j = 0; j < layer.outputs; j++, at++) floats[to + j] = floats[to + j]! + floats[at]!;
  }

  #fillBias(layer: DenseLayer, to: number): void {
    const bias = this.memory.parameters + (layer.bias ?? 0);
    for (let row = 0; row < this.memory.rows; row++)
      this.floats.copyWithin(to + row * layer.outputs, bias, bias + layer.outputs);
  }

  #addTo(to: number, from: number, count: number): void {
    const { floats } = this;
    for (let i = 0; i < count; i++) floats[to + i] = floats[to + i]! + floats[from + i]!;
  }

  #rectify(at: number): void {
    const { floats } = this;
    for (let i = at; i < at + this.memory.rows * this.#hidden; i++) if (floats[i]! < 0) floats[i] = 0;
  }

  /** The gradient of a rectified value is 0 where the value is. */
  #maskWhereZero(gradient: number, activation: number): void {
    const { floats } = this;
    for (let i = 0; i < this.memory.rows * this.#hidden; i++)
      if (floats[activation + i]! <= 0) floats[gradient + i] = 0;
  }

  #pack(from: number, columns: number, to: number): void {
    const { floats } = this;
    const { rows } = this.memory;
    let target = to;
    for (let panel = 0; panel < columns; panel += PANEL_COLUMNS)
      for (let row = 0; row < rows; row++) {
        const source = from + row * columns + panel;
        for (let lane = 0; lane < PANEL_COLUMNS; lane++) floats[target++] = floats[source + lane]!;
      }
  }
}
