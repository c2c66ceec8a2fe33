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

/** How many times as probable counts become when the mean of each level is `shifted` and its dispersion stays. */
export function shiftRatios(levels: readonly CountLevel[], shifted: (level: CountLevel) => number): CountTable {
  return tableOf(
    levels.map((level) => {
      const before = probabilities(level);
      return probabilities({ mean: shifted(level), dispersion: level.dispersion }).map(
        (after, x) => after / before[x]!,
      );
    }),
  );
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
