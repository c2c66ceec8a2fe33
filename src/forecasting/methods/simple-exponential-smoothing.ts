/** Grid over the smoothing parameter. */
export interface AlphaRange {
  readonly lowest: number;
  readonly highest: number;
  /** Values tried, evenly spaced, both ends included. */
  readonly points: number;
}

/** A fitted smoothing. */
export interface SimpleSmoothing {
  readonly alpha: number;
  /** Level after the last month: the forecast of every future month. */
  readonly level: number;
  /** Sum of squared one-step errors. */
  readonly squares: number;
}

/**
 * Simple exponential smoothing (Brown, 1959) that starts at the first value; alpha minimises the squared one-step errors over
 * a grid. `values` starts with an observation; a missing month leaves the level as it is.
 */
export function fitSimpleSmoothing(values: Float64Array, range: AlphaRange): SimpleSmoothing {
  let best: SimpleSmoothing = { alpha: range.lowest, level: values[0]!, squares: Infinity };
  for (let i = 0; i < range.points; i++) {
    const alpha = range.lowest + ((range.highest - range.lowest) * i) / (range.points - 1);
    let level = values[0]!;
    let squares = 0;
    for (let t = 1; t < values.length; t++) {
      const error = values[t]! - level;
      if (Number.isNaN(error)) continue;
      squares += error * error;
      level += alpha * error;
    }
    if (squares < best.squares) best = { alpha, level, squares };
  }
  return best;
}
