import { gammaCdf, gammaQuantile } from './gamma.js';

/**
 * Squared coefficient of variation of the sizes at least: orders of nearly one size are rare. With .01 and .25 simulated orders of about
 * ten pieces are served too rarely and too often (.95 at a lead time of one month, in .18 to .38 of months: 92.7, 95.0 and 96.0 %).
 */
const MIN_VARIATION = 0.1;
/** From this mean on hardly a chance of no order is left, and the gamma distribution with the same two moments is taken. */
const MAX_SUMMED_MEAN = 100;
/** What is below this adds nothing to a cumulative probability. */
const NEGLIGIBLE = 1e-14;
/** Relative precision of a quantile. */
const PRECISION = 1e-9;
const MAX_ITERATIONS = 100;

/** A distribution of demand in orders of mean size. */
export interface CompoundPoisson {
  /** Probability of a demand of at most `x` >= 0. */
  readonly cdf: (x: number) => number;
  /** Smallest demand with a cumulative probability of at least `level` in (0, 1): 0 up to the probability of no order. */
  readonly quantile: (level: number) => number;
}

/**
 * The compound Poisson distribution (Feeney & Sherbrooke, Management Science 12, 1966) of `mean` > 0 orders that come by chance, with
 * sizes of mean 1 that follow a gamma distribution. What the variance is above the mean, which that of their number is, comes of the
 * sizes (a Tweedie distribution: Jørgensen, JRSS B 49, 1987).
 * @param variance taken for one of sizes that vary by a third where it is smaller
 */
export function compoundPoisson(mean: number, variance: number): CompoundPoisson {
  const variation = Math.max(variance / mean - 1, MIN_VARIATION);
  if (mean > MAX_SUMMED_MEAN) return gammaOf(mean, mean * (1 + variation));
  const none = Math.exp(-mean);
  const cdf = (x: number): number => cumulated(mean, variation, x);
  return {
    cdf,
    quantile: (level) => (level <= none ? 0 : rootOf((x) => level - cdf(x), level - none, mean)),
  };
}

function gammaOf(mean: number, variance: number): CompoundPoisson {
  return {
    cdf: (x) => gammaCdf((mean * mean) / variance, (x * mean) / variance),
    quantile: (level) => gammaQuantile(mean, Math.sqrt(variance), level),
  };
}

/** Sum over the number of orders of its Poisson probability times that of their sizes, which is a gamma distribution's too. */
function cumulated(mean: number, variation: number, x: number): number {
  let chance = Math.exp(-mean);
  let sum = chance;
  for (let orders = 1; orders <= mean || chance > NEGLIGIBLE; orders++) {
    chance *= mean / orders;
    const within = gammaCdf(orders / variation, x / variation);
    sum += chance * within;
    if (within < NEGLIGIBLE) break;
  }
  return sum;
}

/**
 * Where a falling function of x > 0 is 0, by the Illinois method: false position that halves the value at an end which stays (Dowell &
 * Jarratt, BIT 11, 1971).
 * @param atZero its value at 0, above 0
 * @param start any x > 0, best near the root
 */
function rootOf(falling: (x: number) => number, atZero: number, start: number): number {
  let [low, valueAtLow] = [0, atZero];
  let [high, valueAtHigh] = [start, falling(start)];
  while (valueAtHigh > 0) {
    [low, valueAtLow] = [high, valueAtHigh];
    high *= 2;
    valueAtHigh = falling(high);
  }
  for (let i = 0; i < MAX_ITERATIONS && high - low > PRECISION * high; i++) {
    const x = high - (valueAtHigh * (high - low)) / (valueAtHigh - valueAtLow);
    const value = falling(x);
    if (value > 0) {
      [low, valueAtLow] = [x, value];
      valueAtHigh /= 2;
    } else {
      [high, valueAtHigh] = [x, value];
      valueAtLow /= 2;
    }
  }
  return high;
}
