import { clamp } from '../../numeric/clamp.js';
import { sumOf } from '../../numeric/sum.js';
import { meanObserved } from '../missing.js';
import { DemandMonths, MAX_CHANCE } from './demand-chance.js';
import type { ExposedDemand } from './exposed-demand.js';

/** Means over the intermittent series of a workspace, toward which single series are shrunk. */
export interface WorkspaceRates {
  /** Mean demand a month, every series in its own scale. */
  readonly demand: number;
  /** Share of months with demand. */
  readonly chance: number;
}

/** Demand of one series divided by its scale. */
export interface ScaledDemand extends ExposedDemand {
  /** In steps of the counted demand, see {@link demandScale}. */
  readonly scale: number;
  /** See {@link CountedDemand}. */
  readonly measured: boolean;
}

/** Sums of `discount^age` times demand and exposure; age 0 is the last month. */
export interface DiscountedSums {
  readonly demand: number;
  readonly exposure: number;
}

/** Workspace means where no series has any demand: half a piece a month, in three months of ten. */
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
 * The scale of a series, from its first `length` months (NaN = missing): a fifth of the mean size of its demands in steps, at least one. Series
 * that sell in ones and in hundreds can be pooled then, and a few large ones do not decide for all; those that sell a few pieces
 * at a time stay in pieces, since the mean of a few sizes is noise.
 */
export function demandScale(counts: Float64Array, length: number): number {
  const size = meanSize(counts.subarray(0, length));
  return Number.isNaN(size) ? 1 : Math.max(1, size / SCALES_PER_DEMAND);
}

/** Mean size of the demands; NaN without any. */
export function meanSize(counts: Float64Array): number {
  return meanObserved(counts.filter((count) => count > 0));
}

/** Rates over all months of all series. */
export function workspaceRates(all: readonly ExposedDemand[]): WorkspaceRates {
  let total = 0;
  let exposed = 0;
  const months = new DemandMonths();
  for (const series of all) {
    total += sumOf(series.demand);
    exposed += sumOf(series.exposure);
    months.add(series);
  }
  return total > 0 ? { demand: total / exposed, chance: months.chance() } : DEFAULT_RATES;
}

/** Discounted sums of all months. */
export function discountedSums({ demand, exposure }: ExposedDemand, discount: number): DiscountedSums {
  let sold = 0;
  let exposed = 0;
  for (let t = 0; t < demand.length; t++) {
    sold = sold * discount + demand[t]!;
    exposed = exposed * discount + exposure[t]!;
  }
  return { demand: sold, exposure: exposed };
}

/** A series' own discounted rate of demand, shrunk toward `prior`: demand over exposure, as a Poisson rate is estimated. */
export function seriesRate(series: ExposedDemand, prior: number): number {
  const sums = discountedSums(series, DISCOUNT);
  return shrunkMean(sums.demand, sums.exposure, prior, PRIOR_MONTHS);
}

/**
 * Largest rate that the orders of a series speak for: their number since the first one, two standard deviations up (that of the root of
 * a Poisson number is one half: Anscombe, Biometrika 35, 1948), in orders of their mean size. Infinity where there are none.
 */
export function largestRate({ demand, exposure }: ExposedDemand): number {
  const orders = demand.filter((value) => value > 0);
  if (orders.length === 0) return Infinity;
  const number = (Math.sqrt(orders.length + 1) + 1) ** 2;
  return (number * sumOf(orders)) / orders.length / sumOf(exposure, demand.indexOf(orders[0]!));
}

/** A series' own discounted chance of demand in a month, shrunk toward the workspace's. */
export function seriesChance(series: ExposedDemand, workspace: WorkspaceRates): number {
  return new DemandMonths().addMonths(PRIOR_MONTHS, workspace.chance).add(series, DISCOUNT).chance();
}

/** Mean of observations of total weight `weight` that sum to `sum`, shrunk toward `prior` with the weight of `months` months. */
export function shrunkMean(sum: number, weight: number, prior: number, months: number): number {
  return (sum + months * prior) / (weight + months);
}

/** Demand over `scale`. */
export function scaleDemand(series: ExposedDemand, scale: number, measured: boolean): ScaledDemand {
  return { ...series, demand: series.demand.map((count) => count / scale), scale, measured };
}

/** Log odds of a chance. */
export function logOdds(chance: number): number {
  const bounded = clamp(chance, 1 - MAX_CHANCE, MAX_CHANCE);
  return Math.log(bounded / (1 - bounded));
}
