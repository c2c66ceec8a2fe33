import { createRandom } from '../../numeric/random.js';
import { MAX_HORIZON } from '../settings.js';

/** Simulated paths; half are the mirror image of the other half. 400 leave a standard error of about .09 sd in the outer deciles. */
export const PATHS = 400;

let cachedSeed = NaN;
let cachedTable: Float64Array = new Float64Array(0);

/**
 * Standard normal shocks for `PATHS` paths of `MAX_HORIZON` months, row-major by path, drawn by Box and Muller (1958). Row
 * `i + PATHS / 2` is minus row `i` (antithetic variates), so that simulated means of linear models are exact. Every series
 * uses the same table (common random numbers): a forecast depends on the seed alone, not on what was computed before it.
 * The last table is kept because a run asks for one seed only; callers must not write to it.
 */
export function gaussianTable(seed: number): Float64Array {
  if (seed === cachedSeed) return cachedTable;
  const random = createRandom(seed);
  const table = new Float64Array(PATHS * MAX_HORIZON);
  const half = PATHS / 2;
  for (let i = 0; i < half; i++) {
    for (let k = 0; k < MAX_HORIZON; k++) {
      const radius = Math.sqrt(-2 * Math.log(Math.max(random(), 1e-12)));
      const z = radius * Math.cos(2 * Math.PI * random());
      table[i * MAX_HORIZON + k] = z;
      table[(i + half) * MAX_HORIZON + k] = -z;
    }
  }
  cachedSeed = seed;
  cachedTable = table;
  return table;
}
