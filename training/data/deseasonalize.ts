import { estimateSeason } from '../../src/forecasting/network/seasonal-means.js';
import { SEASON } from '../../src/forecasting/types.js';

const season = new Float64Array(SEASON);

/**
 * Takes the season out of a window and its future, in place: by ratios where every value is positive, else by differences. Only
 * the first `months` values are used to estimate it.
 */
export function removeSeason(window: Float64Array, months: number): void {
  const positive = !window.some((x) => x <= 0);
  const history = window.slice(0, months);
  if (positive) for (let i = 0; i < months; i++) history[i] = Math.log(history[i]!);
  if (estimateSeason(history, months, season) === 0) return;
  for (let i = 0; i < window.length; i++) {
    const effect = season[(((months - 1 - i) % SEASON) + SEASON) % SEASON]!;
    window[i] = positive ? window[i]! * Math.exp(-effect) : window[i]! - effect;
  }
}
