/** Missing months are NaN throughout the engine; these helpers keep that convention in one place. */

/** Months with an observation, from `from` up to `end`; of all by default. */
export function countObserved(values: Float64Array, from = 0, end = values.length): number {
  let count = 0;
  for (let t = from; t < end; t++) if (!Number.isNaN(values[t]!)) count++;
  return count;
}

/** The observations alone, in their order. */
export function observedValues(values: Float64Array): Float64Array {
  return values.filter((value) => !Number.isNaN(value));
}

/** Position of the first observation; `values.length` when there is none. */
export function firstObserved(values: Float64Array): number {
  let t = 0;
  while (t < values.length && Number.isNaN(values[t]!)) t++;
  return t;
}

/** The last observed value; NaN when there is none. */
export function lastObserved(values: Float64Array): number {
  for (let t = values.length - 1; t >= 0; t--) if (!Number.isNaN(values[t]!)) return values[t]!;
  return NaN;
}

/** Mean absolute value of the observations; 0 when there are none. */
export function meanAbsolute(values: Float64Array): number {
  let sum = 0;
  let count = 0;
  for (let t = 0; t < values.length; t++) {
    const value = values[t]!;
    if (Number.isNaN(value)) continue;
    sum += Math.abs(value);
    count++;
  }
  return count > 0 ? sum / count : 0;
}

/**
 * The power of two next to the mean absolute value; 1 when that is 0. Dividing by it and multiplying back loses no bit, so
 * that whole numbers come out whole.
 */
export function binaryScale(values: Float64Array): number {
  const size = meanAbsolute(values);
  return size > 0 ? Math.pow(2, Math.round(Math.log2(size))) : 1;
}

/** Mean of the observations, from `from` up to `end`, by default of all; NaN when there are none. */
export function meanObserved(values: Float64Array, from = 0, end = values.length): number {
  let sum = 0;
  let count = 0;
  for (let t = from; t < end; t++) {
    const value = values[t]!;
    if (Number.isNaN(value)) continue;
    sum += value;
    count++;
  }
  return sum / count;
}

/** Mean of the first `count` observations, or of all where there are fewer; NaN when there are none. */
export function meanOfFirst(values: Float64Array, count: number): number {
  let sum = 0;
  let observed = 0;
  for (let t = 0; t < values.length && observed < count; t++) {
    if (Number.isNaN(values[t]!)) continue;
    sum += values[t]!;
    observed++;
  }
  return sum / observed;
}

/** Smallest and largest observation; both NaN when there are none. */
export function observedRange(values: Float64Array): { smallest: number; largest: number } {
  let smallest = Infinity;
  let largest = -Infinity;
  for (let t = 0; t < values.length; t++) {
    const value = values[t]!;
    if (value < smallest) smallest = value;
    if (value > largest) largest = value;
  }
  return smallest <= largest ? { smallest, largest } : { smallest: NaN, largest: NaN };
}

/**
 * A copy with missing months on the straight line between their observed neighbors, and equal to the nearest observation
 * at either end. For methods whose equations have no natural treatment of a gap. Unchanged when nothing is observed.
 */
export function interpolateMissing(values: Float64Array): Float64Array {
  const filled = Float64Array.from(values);
  const n = filled.length;
  let previous = -1;
  for (let t = 0; t < n; t++) {
    if (Number.isNaN(values[t]!)) continue;
    const gapFrom = previous + 1;
    for (let g = gapFrom; g < t; g++) {
      filled[g] =
        previous < 0
          ? values[t]!
          : values[previous]! + ((values[t]! - values[previous]!) * (g - previous)) / (t - previous);
    }
    previous = t;
  }
  if (previous >= 0) filled.fill(values[previous]!, previous + 1);
  return filled;
}
