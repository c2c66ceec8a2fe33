import { negativeBinomialProbabilities } from '../../../numeric/negative-binomial.js';

/** Counts above this are taken as this: one large order is a spike, not a new level. */
export const MAX_COUNT = 20;

/** Mean of a month's count, and its ratio of variance to mean (above 1; the Poisson distribution is the limit of 1). */
export interface CountLevel {
  readonly mean: number;
  readonly dispersion: number;
}

/** Numbers about counts of 0 to {@link MAX_COUNT}: one row a count, one column a level. */
export type CountTable = readonly Float64Array[];

/** Probabilities of counts, negative binomial. */
export function countProbabilities(levels: readonly CountLevel[]): CountTable {
  return tableOf(levels.map(({ mean, dispersion }) => negativeBinomialProbabilities(mean, dispersion, MAX_COUNT)));
}

/** Likelihood ratios, entry by entry. */
export function countRatios(numerators: CountTable, denominators: CountTable): CountTable {
  return numerators.map((row, x) => row.map((probability, j) => probability / denominators[x]![j]!));
}

function tableOf(columns: readonly Float64Array[]): CountTable {
  return Array.from({ length: MAX_COUNT + 1 }, (_, x) => Float64Array.from(columns, (column) => column[x]!));
}
