/** Discounts a month of the demand rates that enter the regression. */
const RATE_DISCOUNTS = [0.75, 0.9, 0.97] as const;
/** Discount of the rate of months with demand. */
const CHANCE_DISCOUNT = 0.9;
/** Weight of the workspace's mean in each discounted rate, in months. */
const PRIOR_MONTHS = 0.5;
const RECENT_MONTHS = 12;
/** Twenty times the workspace's rate. */
const LARGEST_LOG_RATE = 3;

/**
 * Intercept, three discounted demand rates, the discounted chance of demand, months since demand, demand in the last year,
 * the last month, months before the first demand, squares of the two slower rates. New ones go to the end: a model that was
 * stored with fewer coefficients is still read.
 */
export const FEATURES = 1 + RATE_DISCOUNTS.length + 7;

/** Means over the intermittent series of a workspace, towards which single series are drawn. */
export interface WorkspaceRates {
  /** Mean demand a month, in units of each series' smallest step. */
  readonly demand: number;
  /** Share of months with demand. */
  readonly chance: number;
}

/** Sums of `weight^age * value` and of the weights; age 0 is the last month. */
export interface DiscountedSums {
  readonly value: number;
  readonly weight: number;
}

/** Discounted sums of demand over the first `length` months (no gaps), or of its indicator. */
export function discountedSums(
  demand: Float64Array,
  length: number,
  discount: number,
  indicator = false,
): DiscountedSums {
  let value = 0;
  let weight = 0;
  for (let t = 0; t < length; t++) {
    value = value * discount + (indicator ? (demand[t]! > 0 ? 1 : 0) : demand[t]!);
    weight = weight * discount + 1;
  }
  return { value, weight };
}

/** Writes the features of the first `length` months of demand to `out[offset ..]`. */
export function writeFeatures(
  demand: Float64Array,
  length: number,
  rates: WorkspaceRates,
  out: Float64Array,
  offset: number,
): void {
  out[offset] = 1;
  RATE_DISCOUNTS.forEach((discount, i) => {
    const sums = discountedSums(demand, length, discount);
    out[offset + 1 + i] = Math.log(drawn(sums, rates.demand) / rates.demand);
  });
  const chance = discountedSums(demand, length, CHANCE_DISCOUNT, true);
  out[offset + 4] = Math.log(drawn(chance, rates.chance) / rates.chance);
  let since = 0;
  while (since < length && !(demand[length - 1 - since]! > 0)) since++;
  out[offset + 5] = Math.log(1 + since);
  out[offset + 6] = since < Math.min(RECENT_MONTHS, length) ? 1 : 0;
  let before = 0;
  while (before < length && !(demand[before]! > 0)) before++;
  out[offset + 7] = Math.log(1 + demand[length - 1]!);
  out[offset + 8] = Math.log(1 + before);
  out[offset + 9] = curvature(out[offset + 2]!);
  out[offset + 10] = curvature(out[offset + 3]!);
}

/** Half the square; flat where a series sells so much more than the workspace that a parabola would run away. */
function curvature(logRate: number): number {
  return 0.5 * Math.min(logRate, LARGEST_LOG_RATE) ** 2;
}

function drawn(sums: DiscountedSums, prior: number): number {
  return (sums.value + PRIOR_MONTHS * prior) / (sums.weight + PRIOR_MONTHS);
}
