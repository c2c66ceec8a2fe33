import { gammaQuantile } from './gamma.js';
import { normalQuantile } from './normal.js';

/**
 * The negative binomial distribution by its mean and its dispersion, the ratio of variance to mean (above 1; the Poisson
 * distribution is the limit of 1). With size = mean / (dispersion - 1):
 *
 *   P(0) = dispersion^(-size),   P(k + 1) = P(k) (k + size) / (k + 1) (1 - 1 / dispersion)
 */

/** Dispersion is raised to this, so that the distribution exists. */
const MIN_DISPERSION = 1.0005;
/** Below this ln P(0) the recursion would start from a number that has underflowed. */
const MIN_LOG_ZERO = -700;
/** A sum of probabilities may stay a rounding error short of a level that it reaches exactly. */
const ROUNDING = 1e-12;
/** Means above this are approximated: summing the probabilities one by one would cost milliseconds. */
const MAX_SUMMED_MEAN = { severalLevels: 500, oneLevel: 2000 } as const;
/** From this shape on the cube-root approximation of a gamma quantile is exact to .1 % between the levels .1 and .9. */
const CUBE_ROOT_SHAPE = 8;

/** Running sum of the probabilities of 0, 1, 2, ... */
class CumulativeProbability {
  count = 0;
  /** P(X <= count). */
  reached: number;
  /** P(X < count). */
  below = 0;
  private probability: number;
  private readonly size: number;
  private readonly decay: number;
  /** Rounding may keep the sum below a level for ever; no level below 1 needs 60 standard deviations. */
  private readonly largestCount: number;

  constructor(mean: number, dispersion: number) {
    this.size = mean / (dispersion - 1);
    this.decay = 1 - 1 / dispersion;
    this.largestCount = Math.ceil(mean + 60 * Math.sqrt(mean * dispersion) + 60 * dispersion);
    this.probability = Math.exp(logZeroProbability(mean, dispersion));
    this.reached = this.probability;
  }

  /** Goes on to the smallest count whose cumulative probability is at least `level`, but for rounding. */
  advanceTo(level: number): void {
    while (this.reached < level - ROUNDING && this.count < this.largestCount) {
      this.probability *= ((this.count + this.size) / (this.count + 1)) * this.decay;
      this.count++;
      this.below = this.reached;
      this.reached += this.probability;
    }
  }
}

function logZeroProbability(mean: number, dispersion: number): number {
  return (-mean / (dispersion - 1)) * Math.log(dispersion);
}

/**
 * Quantiles of a negative binomial distribution with `mean` (>= 0) and variance `mean * dispersion` at ascending `levels` in
 * (0, 1), each the smallest count whose cumulative probability reaches its level, written to `out` from index 0. For means above
 * 500: 0 up to the probability of zero, then the quantile of the gamma distribution with the same two moments, rounded up (within
 * a piece or .1 % of the exact count, for levels between .1 and .9).
 */
export function negativeBinomialQuantiles(
  mean: number,
  dispersion: number,
  levels: readonly number[],
  out: Float64Array,
): void {
  if (!(mean > 0)) {
    out.fill(0, 0, levels.length);
    return;
  }
  const ratio = Math.max(dispersion, MIN_DISPERSION);
  if (mean > MAX_SUMMED_MEAN.severalLevels) {
    const zero = Math.exp(logZeroProbability(mean, ratio));
    levels.forEach((level, j) => {
      out[j] = level <= zero ? 0 : Math.ceil(gammaApproximation(mean, ratio, level));
    });
    return;
  }
  const cumulative = new CumulativeProbability(mean, ratio);
  levels.forEach((level, j) => {
    cumulative.advanceTo(level);
    out[j] = cumulative.count;
  });
}

/**
 * Quantile of the gamma distribution with `mean` and variance `mean * dispersion`: for larger shapes the cube-root normal
 * approximation (Wilson & Hilferty, PNAS 17, 1931), which is far cheaper than inversion.
 */
function gammaApproximation(mean: number, dispersion: number, level: number): number {
  const shape = mean / dispersion;
  if (shape < CUBE_ROOT_SHAPE) return gammaQuantile(mean, Math.sqrt(mean) * Math.sqrt(dispersion), level);
  const spread = 1 / (9 * shape);
  const root = 1 - spread + normalQuantile(level) * Math.sqrt(spread);
  return mean * root * root * root;
}

/** One quantile of a count distribution and the cumulative probabilities on both sides of it. */
export interface CountQuantile {
  /** Smallest count whose cumulative probability reaches the level. */
  readonly count: number;
  /** P(X <= count), at least the level but for rounding. */
  readonly reached: number;
  /** P(X < count), below the level; 0 for count 0. Both are the level itself where the quantile is approximated. */
  readonly below: number;
}

/**
 * Quantile of a negative binomial distribution with `mean` (> 0) and variance `mean * dispersion` at one `level` in (0, 1), to be
 * trusted far into the tail. Means above 2,000, and those whose probability of zero underflows, take the gamma distribution with
 * the same two moments, rounded up.
 */
export function negativeBinomialQuantile(mean: number, dispersion: number, level: number): CountQuantile {
  const ratio = Math.max(dispersion, MIN_DISPERSION);
  if (mean > MAX_SUMMED_MEAN.oneLevel || logZeroProbability(mean, ratio) < MIN_LOG_ZERO) {
    const count = Math.ceil(gammaQuantile(mean, Math.sqrt(mean * ratio), level));
    return { count, reached: level, below: level };
  }
  const cumulative = new CumulativeProbability(mean, ratio);
  cumulative.advanceTo(level);
  const { count, reached, below } = cumulative;
  return { count, reached, below };
}

/** Probabilities of 0 .. `largest` with `mean` (> 0) and a dispersion above 1. */
export function negativeBinomialProbabilities(mean: number, dispersion: number, largest: number): Float64Array {
  const size = mean / (dispersion - 1);
  const result = new Float64Array(largest + 1);
  result[0] = dispersion ** -size;
  for (let k = 1; k <= largest; k++) {
    result[k] = (result[k - 1]! * (size + k - 1) * (1 - 1 / dispersion)) / k;
  }
  return result;
}
