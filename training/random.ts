import { drawGamma, drawPoisson } from './variates.js';

/**
 * A small fast generator (sfc32, C. Doty-Humphrey, PractRand) with the distributions that the synthetic series need. Streams are
 * named by a list of integers, so that "series 17 of epoch 3" is the same whichever thread makes it.
 */
export class Random {
  #a: number;
  #b: number;
  #c: number;
  #counter = 1;
  #spare = Number.NaN;

  constructor(...stream: readonly number[]) {
    let hash = 0x9e3779b9;
    const mix = (value: number): number => {
      hash = Math.imul(hash ^ value, 0x85ebca6b);
      hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
      return (hash ^= hash >>> 16);
    };
    for (const value of stream) mix(value | 0);
    this.#a = mix(1);
    this.#b = mix(2);
    this.#c = mix(3);
    for (let i = 0; i < 12; i++) this.#next();
  }

  #next(): number {
    const t = (((this.#a + this.#b) | 0) + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + t) | 0;
    return t >>> 0;
  }

  /** Uniform on [low, high). */
  uniform(low = 0, high = 1): number {
    return low + (high - low) * (this.#next() / 4294967296);
  }

  /** Whole number, uniform on low .. high - 1. */
  integer(low: number, high: number): number {
    return low + Math.floor(this.uniform() * (high - low));
  }

  chance(probability: number): boolean {
    return this.uniform() < probability;
  }

  /** Normal, by the polar method (Marsaglia and Bray 1964). */
  normal(mean = 0, deviation = 1): number {
    if (!Number.isNaN(this.#spare)) {
      const z = this.#spare;
      this.#spare = Number.NaN;
      return mean + deviation * z;
    }
    for (;;) {
      const u = this.uniform(-1, 1);
      const v = this.uniform(-1, 1);
      const s = u * u + v * v;
      if (s >= 1 || s === 0) continue;
      const factor = Math.sqrt((-2 * Math.log(s)) / s);
      this.#spare = v * factor;
      return mean + deviation * u * factor;
    }
  }

  lognormal(mean: number, deviation: number): number {
    return Math.exp(this.normal(mean, deviation));
  }

  exponential(mean = 1): number {
    return -mean * Math.log(1 - this.uniform());
  }

  /** Gamma with mean shape * scale. */
  gamma(shape: number, scale = 1): number {
    return drawGamma(
      shape,
      scale,
      () => this.normal(),
      () => 1 - this.uniform(),
    );
  }

  beta(a: number, b: number): number {
    const x = this.gamma(a);
    return x / (x + this.gamma(b));
  }

  /** Student's t. */
  student(degrees: number): number {
    return this.normal() / Math.sqrt(this.gamma(degrees / 2, 2) / degrees);
  }

  /** Poisson; above a mean of 50 the rounded normal, which is near enough for training data. */
  poisson(mean: number): number {
    if (mean > 50) return Math.max(0, Math.round(this.normal(mean, Math.sqrt(mean))));
    return drawPoisson(mean, () => this.uniform());
  }
}
