import { gammaQuantile } from './gamma.js';

/** Above this mean the gamma distribution with the same two moments is rounded up instead of summing probabilities. */
const LARGEST_EXACT_MEAN = 2000;
/** Variance to mean ratio at least this; the Poisson distribution is the limit of 1. */
const SMALLEST_DISPERSION = 1.0005;

/** One quantile of a count distribution and how sure it really is. */
export interface CountQuantile {
  /** Smallest count whose cumulative probability reaches the level. */
  readonly count: number;
  /** Cumulative probability of `count` (>= level). */
  readonly reached: number;
  /** Cumulative probability of `count - 1` (< level); 0 for count 0. */
  readonly below: number;
}

/**
 * Quantile of the negative binomial distribution with `mean` > 0 and variance `variance` (raised to just above the mean, where
 * it is the Poisson distribution), by summing p(0) = ratio^(-size), p(k+1) = p(k) (k + size)/(k + 1) (1 - 1/ratio), with
 * ratio = variance/mean and size = mean/(ratio - 1).
 */
export function negativeBinomialQuantile(mean: number, variance: number, level: number): CountQuantile {
  const ratio = Math.max(variance / mean, SMALLEST_DISPERSION);
  const size = mean / (ratio - 1);
  const logZero = -size * Math.log(ratio);
  if (mean > LARGEST_EXACT_MEAN || logZero < -700) {
    const count = Math.ceil(gammaQuantile(mean, Math.sqrt(mean * ratio), level));
    return { count, reached: level, below: level };
  }
  const decay = 1 - 1 / ratio;
  let probability = Math.exp(logZero);
  let reached = probability;
  let below = 0;
  let count = 0;
  // Rounding may keep the sum a hair below the level for ever; no service level below 1 needs 60 standard deviations.
  const limit = Math.ceil(mean + 60 * Math.sqrt(mean * ratio) + 60 * ratio);
  while (reached < level && count < limit) {
    probability *= ((count + size) / (count + 1)) * decay;
    count++;
    below = reached;
    reached += probability;
  }
  return { count, reached, below };
}
