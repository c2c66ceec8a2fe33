import { SEASON } from '../../src/forecasting/index.js';
import { interpolateMissing } from '../../src/forecasting/missing.js';
import { multiplicativeIndices } from '../../src/forecasting/methods/decomposition/classical.js';
import { isSeasonal } from '../../src/forecasting/methods/decomposition/seasonality-test.js';

/** Naive2 of the M4 competition: the last value, seasonally adjusted by classical indices where the lag 12 autocorrelation is significant. */
export function naive2(recorded: Float64Array, horizon: number): Float64Array {
  const history = interpolateMissing(recorded);
  const n = history.length;
  const indices = isSeasonal(history) ? multiplicativeIndices(history, 0) : null;
  if (!indices) return new Float64Array(horizon).fill(history[n - 1]!);
  const level = history[n - 1]! / indices[(n - 1) % SEASON]!;
  return Float64Array.from({ length: horizon }, (_, k) => level * indices[(n + k) % SEASON]!);
}
