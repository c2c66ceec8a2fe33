import { OUTPUT_MONTHS, OUTPUTS } from '../../src/forecasting/network/shape.js';
import { LEVELS, QUANTILE_LEVELS } from '../../src/forecasting/types.js';

/**
 * Mean pinball loss over rows, months and levels, each row times its weight; months whose target is NaN are left out.
 * @param outputs,gradient rows x OUTPUTS at the given offsets of `floats`; the gradient is written.
 * @param targets rows x OUTPUT_MONTHS, in the row's scaled units.
 * @param share what one row, month and level counts: 1 / (rows of the whole batch * OUTPUTS).
 * @returns the loss of these rows.
 */
export function pinballLoss(
  floats: Float32Array,
  outputs: number,
  gradient: number,
  targets: Float32Array,
  rowWeights: Float32Array,
  share: number,
): number {
  let loss = 0;
  for (let row = 0; row < rowWeights.length; row++) {
    const weight = rowWeights[row]! * share;
    for (let month = 0; month < OUTPUT_MONTHS; month++) {
      const target = targets[row * OUTPUT_MONTHS + month]!;
      const at = row * OUTPUTS + month * LEVELS;
      if (weight === 0 || Number.isNaN(target)) {
        floats.fill(0, gradient + at, gradient + at + LEVELS);
        continue;
      }
      for (let j = 0; j < LEVELS; j++) {
        const level = QUANTILE_LEVELS[j]!;
        const error = target - floats[outputs + at + j]!;
        const slope = error >= 0 ? level : level - 1;
        loss += slope * error * weight;
        floats[gradient + at + j] = -slope * weight;
      }
    }
  }
  return loss;
}
