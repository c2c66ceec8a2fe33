import { LEVELS, QUANTILE_LEVELS } from '../types.js';
import { NORMAL_QUANTILES } from './normal.js';

/** Means above this use the continuous approximation: summing the probabilities one by one would cost milliseconds. */
const LARGEST_EXACT_MEAN = 500;
/** Variance to mean ratio at least this, so that the negative binomial exists (a Poisson distribution is its limit). */
const SMALLEST_DISPERSION = 1.0005;

/**
 * Nine quantiles of a negative binomial distribution with `mean` (>= 0) and variance `mean * dispersion`; each is the
 * smallest count whose cumulative probability reaches the level. Written to `out[0..8]`. For large means, or where the
 * probability of zero underflows, the cube-root normal approximation of a gamma distribution with the same two moments is
 * rounded up (Wilson & Hilferty, PNAS 17, 1931).
 */
export function negativeBinomialQuantiles(mean: number, dispersion: number, out: Float64Array): void {
  if (!(mean > 0)) {
    out.fill(0, 0, LEVELS);
    return;
  }
  const ratio = Math.max(dispersion, SMALLEST_DISPERSION);
  const size = mean / (ratio - 1);
  const logZero = -size * Math.log(ratio);
  if (mean > LARGEST_EXACT_MEAN || logZero < -700) {
    writeGammaApproximation(mean, ratio, out);
    return;
  }
  const decay = 1 - 1 / ratio;
  const limit = Math.ceil(mean + 60 * Math.sqrt(mean * ratio) + 60 * ratio);
  let probability = Math.exp(logZero);
  let cumulative = probability;
  let count = 0;
  for (let j = 0; j < LEVELS; j++) {
    const level = QUANTILE_LEVELS[j]! - 1e-12;
    while (cumulative < level && count < limit) {
      probability *= ((count + size) / (count + 1)) * decay;
      count++;
      cumulative += probability;
    }
    out[j] = count;
  }
}

function writeGammaApproximation(mean: number, ratio: number, out: Float64Array): void {
  const shape = mean / ratio;
  const spread = 1 / (9 * shape);
  for (let j = 0; j < LEVELS; j++) {
    const root = 1 - spread + NORMAL_QUANTILES[j]! * Math.sqrt(spread);
    out[j] = root > 0 ? Math.ceil(mean * root * root * root) : 0;
  }
}
