/** Means over the intermittent series of a workspace, towards which single series are shrunk. */
export interface WorkspaceRates {
  /** Mean demand a month, every series in its own scale. */
  readonly demand: number;
  /** Share of months with demand. */
  readonly chance: number;
}

/** Demand of one series divided by its scale, months without gaps. */
export interface ScaledDemand {
  readonly demand: Float64Array;
  /** In steps of the counted demand, see {@link demandScale}. */
  readonly scale: number;
}

/** Sums of `weight^age * value` and of the weights; age 0 is the last month. */
export interface DiscountedSums {
  readonly value: number;
  readonly weight: number;
}

/** Workspace means before any series is seen: one piece in three months, Poisson-like. */
const DEFAULT_RATES: WorkspaceRates = { demand: 0.5, chance: 0.3 };
/**
 * The mean size of a demand over the scale of its series. Of 2 to 10, cuts of the car parts score better with more, and with less
 * where some of the series are made large.
 */
const SCALES_PER_DEMAND = 5;
/** Discount of a month, for each month of its age. */
const DISCOUNT = 0.85;
/** Weight of the workspace's mean in the rates of a series, in months. */
const PRIOR_MONTHS = 5;

/**
 * The scale of a series, from its first `length` months: a fifth of the mean size of its demands in steps, at least one. Series
 * that sell in ones and in hundreds can be pooled then, and a few large ones do not decide for all; those that sell a few pieces
 * at a time stay in pieces, since the mean of a few sizes is noise.
 */
export function demandScale(counts: Float64Array, length: number): number {
  let total = 0;
  let demands = 0;
  for (let t = 0; t < length; t++) {
    total += counts[t]!;
    if (counts[t]! > 0) demands++;
  }
  return demands === 0 ? 1 : Math.max(1, total / demands / SCALES_PER_DEMAND);
}

/** Rates over all months of all series. */
export function workspaceRates(demands: readonly Float64Array[]): WorkspaceRates {
  let total = 0;
  let positive = 0;
  let months = 0;
  for (const demand of demands) {
    months += demand.length;
    for (const value of demand) {
      total += value;
      if (value > 0) positive++;
    }
  }
  return positive === 0 ? DEFAULT_RATES : { demand: total / months, chance: positive / months };
}

/** Discounted sums of the months of demand (no gaps), each taken as `valueOf` has it. */
export function discountedSums(
  demand: Float64Array,
  discount: number,
  valueOf: (demand: number) => number = (value) => value,
): DiscountedSums {
  let value = 0;
  let weight = 0;
  for (let t = 0; t < demand.length; t++) {
    value = value * discount + valueOf(demand[t]!);
    weight = weight * discount + 1;
  }
  return { value, weight };
}

/** The sums that the rates of a series are made of. */
export function recentSums(demand: Float64Array, valueOf?: (demand: number) => number): DiscountedSums {
  return discountedSums(demand, DISCOUNT, valueOf);
}

/** A series' own discounted rates of demand and of months with demand, shrunk towards the workspace's. */
export function seriesRates(demand: Float64Array, workspace: WorkspaceRates): WorkspaceRates {
  const sold = recentSums(demand);
  const months = recentSums(demand, (value) => (value > 0 ? 1 : 0));
  return {
    demand: shrunkMean(sold.value, sold.weight, workspace.demand, PRIOR_MONTHS),
    chance: shrunkMean(months.value, months.weight, workspace.chance, PRIOR_MONTHS),
  };
}

/** Mean of observations of total weight `weight` that sum to `sum`, shrunk towards `prior` with the weight of `months` months. */
export function shrunkMean(sum: number, weight: number, prior: number, months: number): number {
  return (sum + months * prior) / (weight + months);
}

/** Counts over `scale`. */
export function scaleDemand(counts: Float64Array, scale: number): ScaledDemand {
  return { demand: counts.map((count) => count / scale), scale };
}

/** Chances are kept this far from 0 and 1, so that log odds are finite for series with demand in every month, too. */
const LARGEST_CHANCE = 0.999;

/** Log odds of a chance. */
export function logOdds(chance: number): number {
  const bounded = Math.min(LARGEST_CHANCE, Math.max(1 - LARGEST_CHANCE, chance));
  return Math.log(bounded / (1 - bounded));
}
