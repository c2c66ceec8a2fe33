import { LEVELS } from '../types.js';
import { PANEL_COLUMNS } from './matrix-kernel.js';

/** Months of history that the network reads; older ones are ignored. */
export const INPUT_MONTHS = 60;
/** Months that one pass of the network forecasts. */
export const OUTPUT_MONTHS = 24;
/** Summary features, by their place after the scaled values and their presence flags (see features.ts). */
export const SUMMARY = {
  relativeSpread: 0,
  observedShare: 1,
  zeroShare: 2,
  seasonalChange: 3,
  step: 4,
  counts: 5,
  countLevel: 6,
  countSpread: 7,
  distanceToZero: 8,
} as const;
/** Simple classical forecasts of the window among the inputs, by their order (see classical-features.ts). */
export const PATH = { additive: 0, multiplicative: 1, damped: 2 } as const;
const CLASSICAL_PATHS = Object.keys(PATH).length;
/** Numbers about their fits, by their place after them. */
export const FIT = {
  additiveRate: 0,
  additiveError: 1,
  additiveSlope: 2,
  additiveSeason: 3,
  dampedError: 4,
  multiplicativeSeason: 5,
  multiplicativeError: 6,
} as const;
/** Position of the first classical forecast in an input row, and of the numbers about the fits after the first forecast. */
export const CLASSICAL_AT = 2 * INPUT_MONTHS + Object.keys(SUMMARY).length;
export const FITS_AFTER = CLASSICAL_PATHS * OUTPUT_MONTHS;
/** Numbers that the classical forecasts and their fits take in an input row. */
export const CLASSICAL_INPUTS = FITS_AFTER + Object.keys(FIT).length;
/** Numbers in one input row: values, presence flags, summaries, classical forecasts, numbers about their fits. */
export const INPUTS = CLASSICAL_AT + CLASSICAL_INPUTS;
/** Numbers in one output row: month-major, nine quantiles a month, in units of the window's scale. */
export const OUTPUTS = OUTPUT_MONTHS * LEVELS;

/** Size of a network. */
export interface NetworkShape {
  /** Width of the hidden layers; a multiple of {@link PANEL_COLUMNS}. */
  readonly hidden: number;
  /** Residual blocks after the first layer. */
  readonly blocks: number;
}

/** A fully connected layer inside the one parameter vector; offsets count floats. */
export interface DenseLayer {
  readonly inputs: number;
  readonly outputs: number;
  /** Weights in panels (see matrix-kernel.ts). */
  readonly weights: number;
  /** Biases; undefined where the layer has none. */
  readonly bias: number | undefined;
}

/** Where a network's layers lie in its parameter vector. */
export interface NetworkLayout {
  readonly input: DenseLayer;
  readonly blocks: readonly { readonly expand: DenseLayer; readonly project: DenseLayer }[];
  readonly output: DenseLayer;
  /** Linear path from the inputs straight to the outputs. */
  readonly skip: DenseLayer;
  /** All of the above in the order of the parameter vector. */
  readonly layers: readonly DenseLayer[];
  /** Length of the parameter vector. */
  readonly size: number;
}

/**
 * Where each layer's parameters lie. The body is h = relu(W0 x + b0); h += W2 relu(W1 h + b1) + b2 for each block;
 * output = W h + b + Ws x (a residual multilayer perceptron with a linear skip, as in TiDE, Das et al. 2023).
 * @throws RangeError when `hidden` is not a positive multiple of the panel width or `blocks` is negative.
 */
export function networkLayout(shape: NetworkShape): NetworkLayout {
  const { hidden, blocks } = shape;
  if (!Number.isInteger(hidden) || hidden <= 0 || hidden % PANEL_COLUMNS !== 0)
    throw new RangeError(`hidden must be a positive multiple of ${PANEL_COLUMNS}, got ${hidden}`);
  if (!Number.isInteger(blocks) || blocks < 0) throw new RangeError(`blocks must be 0 or more, got ${blocks}`);

  const layers: DenseLayer[] = [];
  let size = 0;
  const dense = (inputs: number, outputs: number, hasBias: boolean): DenseLayer => {
    const weights = size;
    const bias = hasBias ? weights + inputs * outputs : undefined;
    size = weights + inputs * outputs + (hasBias ? outputs : 0);
    const layer = { inputs, outputs, weights, bias };
    layers.push(layer);
    return layer;
  };
  const input = dense(INPUTS, hidden, true);
  const residual = Array.from({ length: blocks }, () => ({
    expand: dense(hidden, hidden, true),
    project: dense(hidden, hidden, true),
  }));
  const output = dense(hidden, OUTPUTS, true);
  const skip = dense(INPUTS, OUTPUTS, false);
  return { input, blocks: residual, output, skip, layers, size };
}
