import { PANEL_COLUMNS } from '../../src/forecasting/network/matrix-kernel.js';
import {
  CLASSICAL_AT,
  type DenseLayer,
  INPUTS,
  type NetworkLayout,
  OUTPUT_MONTHS,
} from '../../src/forecasting/network/shape.js';
import { LEVELS } from '../../src/forecasting/types.js';
import { Random } from '../random.js';

/**
 * Standard normal quantiles at the nine levels: the outputs start as a plausible spread around the center. With more digits, training would no
 * longer give the shipped weights to the bit.
 */
const NORMAL_QUANTILES = [-1.2816, -0.8416, -0.5244, -0.2533, 0, 0.2533, 0.5244, 0.8416, 1.2816];
/** Deviation of that spread, in units of the scaled inputs. */
const START_SPREAD = 0.7;

/** Starting parameters: He et al. (2015) normal weights, damped on the residual, output and skip layers. */
export function initialParameters(layout: NetworkLayout, seed: number): Float32Array {
  const random = new Random(seed, 0x1417);
  const parameters = new Float32Array(layout.size);
  const fill = (layer: DenseLayer, gain: number): void => {
    const deviation = gain * Math.sqrt(2 / layer.inputs);
    for (let i = 0; i < layer.inputs * layer.outputs; i++) parameters[layer.weights + i] = random.normal(0, deviation);
  };
  fill(layout.input, 1);
  for (const { expand, project } of layout.blocks) {
    fill(expand, 1);
    fill(project, 0.3);
  }
  fill(layout.output, 0.1);
  fill(layout.skip, 0.02);
  // The outputs start from the classical forecast among the inputs.
  for (let month = 0; month < OUTPUT_MONTHS; month++)
    for (let j = 0; j < LEVELS; j++) {
      const column = month * LEVELS + j;
      const lane = column % PANEL_COLUMNS;
      const at = layout.skip.weights + (column - lane) * INPUTS + (CLASSICAL_AT + month) * PANEL_COLUMNS + lane;
      parameters[at] = 1;
    }
  const bias = layout.output.bias ?? 0;
  for (let month = 0; month < OUTPUT_MONTHS; month++)
    for (let j = 0; j < LEVELS; j++) parameters[bias + month * LEVELS + j] = START_SPREAD * NORMAL_QUANTILES[j]!;
  return parameters;
}
