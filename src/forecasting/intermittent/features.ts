import { discountedSums, type ScaledDemand, shrunkMean, type WorkspaceRates } from './rates.js';

/** Discount a month of the first feature, the recent rate of demand. */
const RATE_DISCOUNT = 0.9;
/** Months of the workspace's mean that each rate is shrunk by: only so many that no rate is zero. */
const PRIOR_MONTHS = 0.5;

/**
 * What the pooled models know of a series: discounted demand, months since demand, months before the first demand, demand of
 * the last three months, share of months with demand in the last year and ever, mean size of a demand in steps, size of the last
 * one in the series' scale, the last half year against the one before, demand since the first one. Chosen of 25 by backward
 * elimination at the five cuts of the car parts' training part; the last is worth most.
 */
export const FEATURES = 10;

/** Writes the features of a series, of which at least one month is known, to `out[offset ..]`. */
export function writeFeatures(
  { demand, scale }: ScaledDemand,
  rates: WorkspaceRates,
  out: Float64Array,
  offset: number,
): void {
  const { length } = demand;
  const rate = (sum: number, months: number): number =>
    Math.log(shrunkMean(sum, months, rates.demand, PRIOR_MONTHS) / rates.demand);
  const total = sumOf(demand, 0, length);
  const demands = positivesOf(demand, 0, length);
  const soldFirst = demand.findIndex((value) => value > 0);
  const first = soldFirst < 0 ? length : soldFirst;
  const last = demand.findLastIndex((value) => value > 0);
  const discounted = discountedSums(demand, RATE_DISCOUNT);
  const halfYear = sumOf(demand, length - 6, length) + rates.demand;
  const halfYearBefore = sumOf(demand, length - 12, length - 6) + rates.demand;
  const features = [
    rate(discounted.value, discounted.weight),
    length - 1 - last,
    first,
    rate(sumOf(demand, length - 3, length), Math.min(3, length)),
    positivesOf(demand, length - 12, length) / Math.min(12, length),
    demands / length,
    (scale * total) / Math.max(1, demands),
    last < 0 ? 0 : demand[last]!,
    halfYear / halfYearBefore,
    rate(total, Math.max(1, length - first)),
  ];
  out.set(features, offset);
}

function sumOf(demand: Float64Array, from: number, to: number): number {
  let sum = 0;
  for (let t = Math.max(0, from); t < to; t++) sum += demand[t]!;
  return sum;
}

function positivesOf(demand: Float64Array, from: number, to: number): number {
  let count = 0;
  for (let t = Math.max(0, from); t < to; t++) if (demand[t]! > 0) count++;
  return count;
}
