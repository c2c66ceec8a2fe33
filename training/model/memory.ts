import {
  INPUTS,
  networkLayout,
  type NetworkLayout,
  type NetworkShape,
  OUTPUTS,
} from '../../src/forecasting/network/shape.js';

/** Bytes of a single-precision number, and of a page of WebAssembly memory. */
export const FLOAT = 4;
const PAGE_BYTES = 65536;

/** A batch is cut into this many shards, whatever the number of threads, so that sums are formed in one order. */
export const SHARDS = 4;

/** Where a shard's rows, activations and gradients lie (offsets count floats). */
export interface ShardLayout {
  readonly inputs: number;
  /** Outputs of the first layer and of every block: blocks + 1 matrices of rows x hidden. */
  readonly states: readonly number[];
  /** Hidden activations inside each block. */
  readonly inner: readonly number[];
  readonly outputs: number;
  /** Gradient with respect to the outputs, row-major. */
  readonly outputGradient: number;
  readonly stateGradient: number;
  readonly innerGradient: number;
  /** A gradient in panels, as right-hand side of a product. */
  readonly packed: number;
  /** Gradient with respect to the parameters. */
  readonly gradient: number;
}

/** One shared memory holds parameters, optimizer state and every shard. */
export interface TrainingMemory {
  readonly layout: NetworkLayout;
  readonly rows: number;
  readonly parameters: number;
  /** Exponential average of the parameters: what is shipped. */
  readonly average: number;
  readonly firstMoment: number;
  readonly secondMoment: number;
  readonly shards: readonly ShardLayout[];
  /** Transposed weights for the backward pass. */
  readonly transposed: number;
  readonly pages: number;
}

/** @param batch rows of a whole batch, a multiple of {@link SHARDS}. */
export function trainingMemory(shape: NetworkShape, batch: number): TrainingMemory {
  if (batch % SHARDS !== 0 || batch <= 0)
    throw new RangeError(`batch must be a positive multiple of ${SHARDS}, got ${batch}`);
  const layout = networkLayout(shape);
  const rows = batch / SHARDS;
  let size = 0;
  const take = (floats: number): number => {
    const at = size;
    size += Math.ceil(floats / 16) * 16;
    return at;
  };
  const parameters = take(layout.size);
  const average = take(layout.size);
  const firstMoment = take(layout.size);
  const secondMoment = take(layout.size);
  const transposed = take(layout.size);
  const shards = Array.from({ length: SHARDS }, () => ({
    inputs: take(rows * INPUTS),
    states: Array.from({ length: shape.blocks + 1 }, () => take(rows * shape.hidden)),
    inner: Array.from({ length: shape.blocks }, () => take(rows * shape.hidden)),
    outputs: take(rows * OUTPUTS),
    outputGradient: take(rows * OUTPUTS),
    stateGradient: take(rows * shape.hidden),
    innerGradient: take(rows * shape.hidden),
    packed: take(rows * Math.max(OUTPUTS, shape.hidden)),
    gradient: take(layout.size),
  }));
  const pages = Math.ceil((size * FLOAT) / PAGE_BYTES);
  return { layout, rows, parameters, average, firstMoment, secondMoment, shards, transposed, pages };
}

/** Shared memory of that layout, all zero. */
export function allocate(memory: TrainingMemory): WebAssembly.Memory {
  return new WebAssembly.Memory({ initial: memory.pages, maximum: memory.pages, shared: true });
}
