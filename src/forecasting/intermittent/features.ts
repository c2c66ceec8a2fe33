import { sumOf } from '../../numeric/sum.js';
import { DemandMonths } from './demand-chance.js';
import { MEASURED_STEPS } from './demand-units.js';
import { discountedSums, type ScaledDemand, shrunkMean, type WorkspaceRates } from './rates.js';

/** Discount a month of the first feature, the recent rate of demand. */
const RATE_DISCOUNT = 0.9;
/** Months of the workspace's mean that each rate is shrunk by: only so many that no rate is zero. */
const PRIOR_MONTHS = 0.5;
/** The same for the rates of two half years, whose ratio is a feature. */
const HALF_YEAR_PRIOR_MONTHS = 1;

/**
 * What the pooled models know of a series: discounted demand, months since demand, months before the first demand, demand of
 * the last three months, share of months with demand in the last year and ever, mean size of a demand in steps, size of the last
 * one in the series' scale, the last half year against the one before, demand since the first one. Chosen of 25 by backward
 * elimination at the five cuts of the car parts' training part; the last is worth most.
 */
export const FEATURES = 10;

/** Writes the features of a series, of which at least one month is known, to `out[offset ..]`. */
export function writeFeatures(series: ScaledDemand, rates: WorkspaceRates, out: Float64Array, offset: number): void {
  const { demand, exposure, scale, measured } = series;
  const { length } = demand;
  const rate = (sum: number, months: number): number =>
    Math.log(shrunkMean(sum, months, rates.demand, PRIOR_MONTHS) / rates.demand);
  const total = sumOf(demand);
  const demands = demand.filter((value) => value > 0).length;
  const soldFirst = demand.findIndex((value) => value > 0);
  const first = soldFirst < 0 ? length : soldFirst;
  const last = demand.findLastIndex((value) => value > 0);
  // the steps of measured demand come of the mean size over all of its history: that of its first months would tell what came after them
  const steps = measured && demands > 0 ? MEASURED_STEPS : (scale * total) / Math.max(1, demands);
  const discounted = discountedSums(series, RATE_DISCOUNT);
  const rateOf = (from: number, to: number): number =>
    shrunkMean(sumOf(demand, from, to), sumOf(exposure, from, to), rates.demand, HALF_YEAR_PRIOR_MONTHS);
  const features = [
    rate(discounted.demand, discounted.exposure),
    sumOf(exposure, last + 1, length),
    sumOf(exposure, 0, first),
    rate(sumOf(demand, length - 3, length), sumOf(exposure, length - 3, length)),
    new DemandMonths().add(series, 1, Math.max(0, length - 12)).chance(),
    new DemandMonths().add(series).chance(),
    steps,
    last < 0 ? 0 : shrunkMean(demand[last]!, exposure[last]!, rates.demand, PRIOR_MONTHS),
    rateOf(length - 6, length) / rateOf(length - 12, length - 6),
    rate(total, Math.max(1, sumOf(exposure, first, length))),
  ];
  out.set(features, offset);
}
