import { LEVELS, QUANTILE_LEVELS } from '../types.js';
import { PATHS } from './gaussian-table.js';
import { sortedQuantile } from '../../numeric/sample-quantile.js';

/**
 * Quantiles of simulated paths, month by month. `paths` holds `PATHS` values a month, month after month, and is sorted in
 * place; row k of `out` receives the nine type 7 quantiles of month k.
 */
export function writePathQuantiles(paths: Float64Array, horizon: number, out: Float64Array): void {
  for (let k = 0; k < horizon; k++) {
    const sample = paths.subarray(k * PATHS, (k + 1) * PATHS).sort();
    for (let j = 0; j < LEVELS; j++) out[k * LEVELS + j] = sortedQuantile(sample, QUANTILE_LEVELS[j]!);
  }
}
