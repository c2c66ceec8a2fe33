import { sinceFirstDemand } from '../history.js';
import type { DemandHistory } from '../types.js';
import { classifyDemand, type DemandProfile } from './classify.js';
import { endOfSilence, sinceRestart } from './restart.js';

/** What the series of a workspace with half a year or more say about demand that is too young to show how frequent it is. */
export interface InfrequencyPrior {
  /** Share of series whose demand is infrequent. */
  readonly share: number;
  /** The same share by category, drawn toward that of the workspace. */
  readonly categories: Readonly<Record<string, number>>;
  /** The same share of series whose demand began, or began anew, after a year without any. Absent in what releases up to 0.17.0 stored. */
  readonly started?: number;
  /** Chance of demand in a month of a series whose demand is infrequent. */
  readonly infrequent: number;
  /** Chance of demand in a month of any other series. */
  readonly frequent: number;
}

/** A series with fewer observed months since its first sale is not counted: it may be of either kind. */
const MIN_MONTHS = 6;
/** Fewer orders do not show when a series ended. */
const MIN_ORDERS = 3;
/** Series of the workspace's share that a category's is drawn toward it by. */
const PRIOR_SERIES = 5;
/** Months with the usual chances that those of a workspace are drawn by. */
const PRIOR_MONTHS = 12;
const USUAL_CHANCES = { infrequent: 0.3, frequent: 0.95 } as const;
/**
 * Largest chance of frequent demand: a new item may be sold out, or come late in its first month, in a workspace where nothing else
 * ever misses a month.
 */
const MAX_FREQUENT = 0.95;

/**
 * Learns the prior from the series of a workspace. A series counts from the start of its present demand to its last order, so that
 * neither months before a launch nor those after the end of a sale look like rare demand. Half a series of each kind is counted besides
 * them, so that half of the series are taken for infrequent where none can be counted.
 */
export function poolInfrequency(series: readonly DemandHistory[]): InfrequencyPrior {
  const known = series.map((one) => ({ category: one.category, ...classifyDemand(presentDemand(one)) }));
  const counted = known.filter(({ observed }) => observed >= MIN_MONTHS);
  const share = (countInfrequent(counted) + 0.5) / (counted.length + 1);
  const shareOf = (group: readonly DemandProfile[]): number =>
    (countInfrequent(group) + PRIOR_SERIES * share) / (group.length + PRIOR_SERIES);
  const categories = [...Map.groupBy(counted, (one) => one.category)].flatMap(([category, group]) =>
    category === undefined ? [] : [[category, shareOf(group)] as const],
  );
  const started = series
    .map(({ values }) => ({ values, start: endOfSilence(values) }))
    .filter(({ start }) => start > 0)
    .map(({ values, start }) => classifyDemand(upToLastOrder(values.subarray(start))))
    .filter(({ observed }) => observed >= MIN_MONTHS);
  return {
    share,
    categories: Object.fromEntries(categories),
    started: shareOf(started),
    infrequent: chanceOfDemand(counted, true),
    frequent: Math.min(MAX_FREQUENT, chanceOfDemand(counted, false)),
  };
}

/** The months that a series is classified by: from the start of its present demand to its last order. */
function presentDemand(history: DemandHistory): Float64Array {
  return upToLastOrder(sinceFirstDemand(sinceRestart(history)).values);
}

/** The months up to the last order; all of them where there are few. */
function upToLastOrder(since: Float64Array): Float64Array {
  const orders = since.filter((value) => value > 0).length;
  return orders < MIN_ORDERS ? since : since.subarray(0, since.findLastIndex((value) => value > 0) + 1);
}

function countInfrequent(series: readonly DemandProfile[]): number {
  return series.filter(({ infrequent }) => infrequent).length;
}

/** Chance of demand in a month of the series whose demand is infrequent, or of the others. */
function chanceOfDemand(series: readonly DemandProfile[], isInfrequent: boolean): number {
  let demands = PRIOR_MONTHS * (isInfrequent ? USUAL_CHANCES.infrequent : USUAL_CHANCES.frequent);
  let months = PRIOR_MONTHS;
  for (const { observed, averageInterval, infrequent } of series) {
    if (infrequent !== isInfrequent) continue;
    demands += observed / averageInterval;
    months += observed;
  }
  return demands / months;
}

/**
 * Probability that the demand of a young series is infrequent (Bayes' rule), given its months after the first one with demand: that one
 * says nothing, since many histories begin with it. Missing months (NaN) say nothing either.
 * @param share the same before any of its months are known: by default that of its category or workspace. For the months since a year
 *   without demand it is `started`, what became of others after such a year: among spare parts that is nearly always rare demand, where
 *   histories are filled with zeros a launch.
 */
export function chanceOfInfrequency(
  history: DemandHistory,
  prior: InfrequencyPrior,
  share = shareFor(history, prior),
): number {
  const { values } = history;
  let odds = share / (1 - share);
  const first = values.findIndex((value) => value > 0);
  for (let t = first + 1; first >= 0 && t < values.length; t++) {
    if (Number.isNaN(values[t]!)) continue;
    odds *= values[t]! > 0 ? prior.infrequent / prior.frequent : (1 - prior.infrequent) / (1 - prior.frequent);
  }
  return odds / (1 + odds);
}

function shareFor({ category }: DemandHistory, { share, categories }: InfrequencyPrior): number {
  // a category may be called constructor
  return category !== undefined && Object.hasOwn(categories, category) ? categories[category]! : share;
}
