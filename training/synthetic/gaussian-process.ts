import { SEASON } from '../../src/forecasting/types.js';
import { choleskyFactor } from '../../src/numeric/cholesky.js';
import { type Random } from '../random.js';

/** Covariance of the values at two times, in months. */
type Kernel = (s: number, t: number) => number;

/** Added to the variances, so that smooth covariances have a factor in double precision. */
const JITTER = 1e-6;

/** Covariances of monthly demand: smooth, rough, periodic, drifting, trending. */
function simpleKernel(random: Random): Kernel {
  const kind = random.integer(0, 8);
  const length = random.lognormal(2.6, 0.8);
  // Integrated random walk (a cubic smoothing spline, Wahba 1978): trends that persist.
  if (kind === 0)
    return (s, t) => {
      const [a, b] = [Math.min(s, t) + 1, Math.max(s, t) + 1];
      return (a * a * (3 * b - a)) / 6e5;
    };
  if (kind === 1) return (s, t) => Math.exp(-Math.abs(s - t) / length);
  if (kind === 2) {
    const distance = (s: number, t: number): number => (Math.sqrt(3) * Math.abs(s - t)) / length;
    return (s, t) => (1 + distance(s, t)) * Math.exp(-distance(s, t));
  }
  if (kind === 3) {
    const mixture = random.uniform(0.3, 3);
    return (s, t) => (1 + (s - t) ** 2 / (2 * mixture * length * length)) ** -mixture;
  }
  if (kind === 4) {
    const origin = random.uniform(0, 84);
    return (s, t) => ((s - origin) * (t - origin)) / 1200;
  }
  if (kind === 5) return (s, t) => Math.min(s + 1, t + 1) / 84;
  const period = random.chance(0.8) ? SEASON : random.chance(0.5) ? SEASON / 2 : SEASON / 4;
  const roughness = random.uniform(0.3, 1.5);
  const seasonal: Kernel = (s, t) => Math.exp((-2 * Math.sin((Math.PI * (s - t)) / period) ** 2) / roughness ** 2);
  if (kind === 6) return seasonal;
  const forget = random.uniform(24, 120);
  return (s, t) => seasonal(s, t) * Math.exp(-(((s - t) / forget) ** 2) / 2);
}

/** Sums and products of one to four simple covariances, as KernelSynth (Ansari et al. 2024) does. */
function composeKernel(random: Random): Kernel {
  const parts = random.integer(1, 5);
  let kernel = simpleKernel(random);
  for (let i = 1; i < parts; i++) {
    const left = kernel;
    const right = simpleKernel(random);
    const weight = random.lognormal(0, 0.7);
    kernel = random.chance(0.7) ? (s, t) => left(s, t) + weight * right(s, t) : (s, t) => left(s, t) * right(s, t);
  }
  return kernel;
}

/** A Gaussian process on `months` points with a random covariance; the factorisation is shared by all its draws. */
export class RandomProcess {
  readonly #factor: Float64Array;

  constructor(
    random: Random,
    readonly months: number,
  ) {
    const kernel = composeKernel(random);
    const covariance = new Float64Array(months * months);
    let trace = 0;
    for (let i = 0; i < months; i++) {
      for (let j = 0; j <= i; j++) covariance[i * months + j] = kernel(i, j);
      trace += covariance[i * months + i]!;
    }
    const scale = months / Math.max(trace, 1e-9);
    const noise = random.uniform() ** 2;
    for (let i = 0; i < covariance.length; i++) covariance[i] = covariance[i]! * scale * (1 - noise);
    for (let i = 0; i < months; i++) covariance[i * months + i]! += noise;
    this.#factor = new Float64Array(months * months);
    choleskyFactor(covariance, new Float64Array(months).fill(JITTER), months, this.#factor);
  }

  /** Adds one draw, times `deviation`. */
  addTo(random: Random, series: Float64Array, deviation: number): void {
    const { months } = this;
    const z = Float64Array.from({ length: months }, () => random.normal());
    for (let i = 0; i < months; i++) {
      let sum = 0;
      for (let j = 0; j <= i; j++) sum += this.#factor[i * months + j]! * z[j]!;
      series[i] = series[i]! + deviation * sum;
    }
  }
}
