import { clamp } from '../../../numeric/clamp.js';

/**
 * Locally weighted linear regression on equally spaced points (Cleveland, JASA 74, 1979) with tricube weights, as in the STL
 * program of Cleveland, Cleveland, McRae & Terpenning (R `stl`). `target[i]` receives the fit at position `from + i` of `source`,
 * over the `window` points nearest to it; positions outside the data are extrapolated.
 */
export function loess(source: Float64Array, window: number, target: Float64Array, from = 0): void {
  const count = source.length;
  for (let i = 0; i < target.length; i++) {
    const position = from + i;
    let first = 0;
    let last = count - 1;
    if (window < count) {
      first = clamp(Math.round(position - (window - 1) / 2), 0, count - window);
      last = first + window - 1;
    }
    let radius = Math.max(position - first, last - position);
    // As in that program: half of the points that a window lacks, rounded down, widen it; weight 1 within .001 and 0 beyond
    // .999 of the radius.
    if (window > count) radius += Math.floor((window - count) / 2);
    const inner = 0.001 * radius;
    const outer = 0.999 * radius;
    let sumW = 0;
    let sumX = 0;
    let sumY = 0;
    let sumXX = 0;
    let sumXY = 0;
    for (let j = first; j <= last; j++) {
      const x = j - position;
      const distance = Math.abs(x);
      if (distance > outer) continue;
      let weight = 1;
      if (distance > inner) {
        const ratio = distance / radius;
        const rest = 1 - ratio * ratio * ratio;
        weight = rest * rest * rest;
      }
      sumW += weight;
      sumX += weight * x;
      sumY += weight * source[j]!;
      sumXX += weight * x * x;
      sumXY += weight * x * source[j]!;
    }
    const determinant = sumW * sumXX - sumX * sumX;
    target[i] =
      determinant <= 1e-6 * sumW * sumW * radius * radius ? sumY / sumW : (sumXX * sumY - sumX * sumXY) / determinant;
  }
}
