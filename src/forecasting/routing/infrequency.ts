import type { DemandHistory } from '../types.js';
import { type DemandProfile, SHORT_BELOW } from './classify.js';

/** What the established series of a workspace, of a year and more, say about demand that is too young to show how frequent it is. */
export interface InfrequencyPrior {
  /** Share of series whose demand is infrequent. */
  readonly share: number;
  /** The same share by category, drawn towards that of the workspace. */
  readonly categories: Readonly<Record<string, number>>;
  /** Chance of demand in a month of a series whose demand is infrequent. */
  readonly infrequent: number;
  /** Chance of demand in a month of any other series. */
  readonly frequent: number;
}

/** What counts of a series. */
export interface ClassifiedSeries extends Pick<DemandProfile, 'observed' | 'averageInterval' | 'infrequent'> {
  readonly category: string | undefined;
}

/** Series of the workspace's share that a category's is drawn towards it by. */
const PRIOR_SERIES = 5;
/** Months with the usual chances that those of a workspace are drawn by. */
const PRIOR_MONTHS = 12;
const USUAL_CHANCES = { infrequent: 0.3, frequent: 0.95 } as const;
/**
 * Largest chance of frequent demand: a new item may be sold out, or come late in its first month, in a workspace where nothing else
 * ever misses a month.
 */
const LARGEST_FREQUENT = 0.95;

/** Half of the series are taken for infrequent where none is established: one of each kind is counted besides them, by half. */
export function poolInfrequency(series: readonly ClassifiedSeries[]): InfrequencyPrior {
  const established = series.filter(({ observed }) => observed >= SHORT_BELOW);
  const share = (countInfrequent(established) + 0.5) / (established.length + 1);
  const categories: Record<string, number> = {};
  for (const [category, group] of Map.groupBy(established, (one) => one.category)) {
    if (category === undefined) continue;
    categories[category] = (countInfrequent(group) + PRIOR_SERIES * share) / (group.length + PRIOR_SERIES);
  }
  const chanceOf = (kind: 'infrequent' | 'frequent'): number => {
    let demands = PRIOR_MONTHS * USUAL_CHANCES[kind];
    let months = PRIOR_MONTHS;
    for (const { observed, averageInterval, infrequent } of established) {
      if (infrequent !== (kind === 'infrequent')) continue;
      demands += observed / averageInterval;
      months += observed;
    }
    return demands / months;
  };
  return {
    share,
    categories,
    infrequent: chanceOf('infrequent'),
    frequent: Math.min(LARGEST_FREQUENT, chanceOf('frequent')),
  };
}

function countInfrequent(series: readonly ClassifiedSeries[]): number {
  return series.filter(({ infrequent }) => infrequent).length;
}

/**
 * Probability that the demand of a young series is infrequent (Bayes' rule), told by its months since the first one with demand: that
 * one says nothing, since many histories begin with it. Missing months (NaN) say nothing either.
 */
export function chanceOfInfrequency({ values, category }: DemandHistory, prior: InfrequencyPrior): number {
  // a category may be called constructor
  const own = category !== undefined && Object.hasOwn(prior.categories, category);
  const share = own ? prior.categories[category]! : prior.share;
  let odds = share / (1 - share);
  const first = values.findIndex((value) => value > 0);
  for (let t = first + 1; first >= 0 && t < values.length; t++) {
    if (Number.isNaN(values[t]!)) continue;
    odds *= values[t]! > 0 ? prior.infrequent / prior.frequent : (1 - prior.infrequent) / (1 - prior.frequent);
  }
  return odds / (1 + odds);
}
