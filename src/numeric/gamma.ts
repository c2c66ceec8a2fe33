import { normalQuantile } from './normal.js';

/** Lanczos' coefficients for g = 7, nine terms. */
const LANCZOS = [
  0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
  12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
];
/** From this shape on the cube-root approximation is exact enough (relative error below 1e-7). */
const LARGE_SHAPE = 1e5;
/** Below this shape the quantile of every level below 1 is zero, in double precision. */
const MIN_SHAPE = 1e-20;
/** Near its mean the series needs about sqrt(70 shape) terms for 1e-15: enough for {@link LARGE_SHAPE}. */
const MAX_ITERATIONS = 3000;

/** ln of the gamma function for x > 0 (Lanczos, SIAM J. Numerical Analysis B 1, 1964; g = 7, nine terms; about 1e-15). */
export function logGamma(x: number): number {
  if (x < 0.5) return Math.log(Math.PI / Math.sin(Math.PI * x)) - logGamma(1 - x);
  const z = x - 1;
  let sum = LANCZOS[0]!;
  for (let i = 1; i < LANCZOS.length; i++) sum += LANCZOS[i]! / (z + i);
  const t = z + 7.5;
  return 0.5 * Math.log(2 * Math.PI) + (z + 0.5) * Math.log(t) - t + Math.log(sum);
}

/**
 * Regularised lower incomplete gamma function P(shape, x): the cumulative probability of a gamma variable of scale 1, for
 * 0 < shape <= 1e5. The series below shape + 1, the continued fraction above (Abramowitz & Stegun, 6.5.29 and 6.5.31).
 */
export function gammaCdf(shape: number, x: number): number {
  if (!(x > 0)) return 0;
  const front = Math.exp(shape * Math.log(x) - x - logGamma(shape));
  return x < shape + 1 ? front * lowerSeries(shape, x) : 1 - front * upperFraction(shape, x);
}

function lowerSeries(shape: number, x: number): number {
  let term = 1 / shape;
  let sum = term;
  for (let n = 1; n < MAX_ITERATIONS && term > sum * 1e-15; n++) {
    term *= x / (shape + n);
    sum += term;
  }
  return sum;
}

/** Lentz's method for x >= shape + 1, where both denominators stay above 1: no partial one is ever 0. */
function upperFraction(shape: number, x: number): number {
  let b = x + 1 - shape;
  let c = Infinity;
  let d = 1 / b;
  let fraction = d;
  for (let i = 1; i < MAX_ITERATIONS; i++) {
    const a = -i * (i - shape);
    b += 2;
    d = 1 / (a * d + b);
    c = b + a / c;
    fraction *= c * d;
    if (Math.abs(c * d - 1) < 1e-14) break;
  }
  return fraction;
}

/**
 * Quantile of the gamma distribution with `mean` > 0 and standard deviation `sigma` > 0 at `level` in (0, 1): the cube-root
 * approximation (Wilson & Hilferty, PNAS 17, 1931) as start, then Newton's method, and bisection where that leaves the bounds. NaN for
 * an infinite mean.
 */
export function gammaQuantile(mean: number, sigma: number, level: number): number {
  const shape = (mean / sigma) * (mean / sigma);
  if (Number.isNaN(shape)) return NaN;
  if (shape < MIN_SHAPE) return 0;
  const scale = mean / shape;
  const spread = 1 / (9 * shape);
  const start = shape * Math.max(1 - spread + normalQuantile(level) * Math.sqrt(spread), 0) ** 3;
  if (shape > LARGE_SHAPE) return start * scale;
  let low = 0;
  let high = Infinity;
  let x = Math.max(start, Number.MIN_VALUE);
  for (let i = 0; i < 200; i++) {
    const excess = gammaCdf(shape, x) - level;
    if (excess < 0) low = x;
    else high = x;
    // at first no step goes far: the density may be nearly zero
    const bound = high === Infinity ? 2 * low + 1e-3 * shape : high;
    const step = x - excess / gammaDensity(shape, x);
    const next = step > low && step < bound ? step : Math.min(0.5 * (low + high), bound);
    if (Math.abs(next - x) <= 1e-13 * x) break;
    x = next;
  }
  return x * scale;
}

/** Density of a gamma variable of scale 1. */
function gammaDensity(shape: number, x: number): number {
  return Math.exp((shape - 1) * Math.log(x) - x - logGamma(shape));
}
