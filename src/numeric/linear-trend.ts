/** A straight line, by time 1, 2, ... */
export interface LinearTrend {
  /** Value of the line one month before the first month. */
  readonly intercept: number;
  /** Change a month. */
  readonly slope: number;
}

/** Least-squares line through the observed values of the first `length` months, with time 1, 2, ...; flat when under two are observed. */
export function linearTrend(values: Float64Array, length = values.length): LinearTrend {
  let count = 0;
  let sumTime = 0;
  let sumValue = 0;
  for (let t = 0; t < length; t++) {
    if (Number.isNaN(values[t]!)) continue;
    count++;
    sumTime += t + 1;
    sumValue += values[t]!;
  }
  if (count === 0) return { intercept: 0, slope: 0 };
  const meanTime = sumTime / count;
  const meanValue = sumValue / count;
  let across = 0;
  let along = 0;
  for (let t = 0; t < length; t++) {
    if (Number.isNaN(values[t]!)) continue;
    const time = t + 1 - meanTime;
    across += time * (values[t]! - meanValue);
    along += time * time;
  }
  const slope = along > 0 ? across / along : 0;
  return { intercept: meanValue - slope * meanTime, slope };
}
