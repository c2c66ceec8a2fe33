/** Counts above this are taken as this: one large order is a spike, not a new level. */
export const LARGEST_COUNT = 20;

/** Mean of a month's count, and its ratio of variance to mean (above 1; the Poisson distribution is the limit of 1). */
export interface CountLevel {
  readonly mean: number;
  readonly dispersion: number;
}

/** Numbers about counts of 0 to {@link LARGEST_COUNT}: one row a count, one column a level. */
export type CountTable = readonly Float64Array[];

/** Probabilities of counts, negative binomial. */
export function countProbabilities(levels: readonly CountLevel[]): CountTable {
  return tableOf(levels.map(probabilities));
}

/** How many times as probable counts are by one table as by the other. */
export function countRatios(numerators: CountTable, denominators: CountTable): CountTable {
  return numerators.map((row, x) => row.map((probability, j) => probability / denominators[x]![j]!));
}

function probabilities({ mean, dispersion }: CountLevel): Float64Array {
  const size = mean / (dispersion - 1);
  const result = new Float64Array(LARGEST_COUNT + 1);
  result[0] = dispersion ** -size;
  for (let x = 1; x <= LARGEST_COUNT; x++) {
    result[x] = (result[x - 1]! * (size + x - 1) * (1 - 1 / dispersion)) / x;
  }
  return result;
}

function tableOf(columns: readonly Float64Array[]): CountTable {
  return Array.from({ length: LARGEST_COUNT + 1 }, (_, x) => Float64Array.from(columns, (column) => column[x]!));
}
