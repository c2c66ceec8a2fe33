import { discountedSums, shrunkMean, type WorkspaceRates } from './rates.js';

/** Discount of a month, for each month of its age: a variance needs more months than a mean. */
const DISCOUNT = 0.98;
/** Months of the pooled dispersion that a series' own is shrunk by. */
const PRIOR_MONTHS = 20;
/** Months of the workspace's mean beside the series' own: only so many that no mean is zero. */
const MEAN_PRIOR_MONTHS = 0.5;
/** Of a workspace without any demand. */
const DEFAULT_DISPERSION = 1.5;
/** Excess over a Poisson distribution's at least: its logarithm is taken. */
const SMALLEST_EXCESS = 1e-3;
/** The chance of demand may multiply or divide the excess by this, before half of it counts. */
const LARGEST_FACTOR = 5;
const BISECTIONS = 40;

interface Spread {
  readonly mean: number;
  readonly variation: number;
  readonly weight: number;
}

/** Variance to mean ratio over all series. */
export function pooledDispersion(demands: readonly Float64Array[], rates: WorkspaceRates): number {
  let variation = 0;
  let expected = 0;
  for (const demand of demands) {
    const spread = discountedSpread(demand, rates);
    variation += spread.variation;
    expected += spread.mean * spread.weight;
  }
  return expected > 0 ? variation / expected : DEFAULT_DISPERSION;
}

/** Variance to mean ratio of one series, shrunk towards the pooled one. */
export function seriesDispersion(demand: Float64Array, rates: WorkspaceRates, pooled: number): number {
  const { mean, variation, weight } = discountedSpread(demand, rates);
  return shrunkMean(variation / mean, weight, pooled, PRIOR_MONTHS);
}

/**
 * The dispersion half way, on the scale of ln(D - 1), to that of the negative binomial with this `mean` which gives demand with
 * probability `chance`. Half way was best at the cuts of the car parts' training part, of 0, .3, .5, .7 and 1.
 */
export function dispersionTowards(dispersion: number, mean: number, chance: number): number {
  const excess = Math.max(dispersion - 1, SMALLEST_EXCESS);
  // P(0) = D^(-mean / (D - 1)), so ln D / (D - 1), which falls with D, is to be this
  const target = -Math.log(1 - chance) / mean;
  let low = excess / LARGEST_FACTOR;
  let high = excess * LARGEST_FACTOR;
  for (let i = 0; i < BISECTIONS; i++) {
    const middle = Math.sqrt(low * high);
    if (Math.log1p(middle) / middle > target) low = middle;
    else high = middle;
  }
  return 1 + Math.sqrt(excess * low);
}

/** Discounted mean and discounted squared deviations from it. */
function discountedSpread(demand: Float64Array, rates: WorkspaceRates): Spread {
  const sums = discountedSums(demand, DISCOUNT);
  const mean = shrunkMean(sums.value, sums.weight, rates.demand, MEAN_PRIOR_MONTHS);
  let variation = 0;
  for (let t = 0; t < demand.length; t++) variation = variation * DISCOUNT + (demand[t]! - mean) ** 2;
  return { mean, variation, weight: sums.weight };
}
