import { normalQuantile } from '../../src/numeric/normal.js';

/** Draws from one stream of uniform numbers in [0, 1). */
export interface Draws {
  uniform(): number;
  /** Uniform between two bounds. */
  between(low: number, high: number): number;
  normal(): number;
  gamma(shape: number): number;
  poisson(mean: number): number;
  /** Count with `mean` and variance `mean * dispersion` (Poisson when dispersion is 1). */
  count(mean: number, dispersion: number): number;
  pick<T>(choices: readonly T[]): T;
}

export function drawsFrom(uniform: () => number): Draws {
  const normal = () => normalQuantile(Math.min(Math.max(uniform(), 1e-12), 1 - 1e-12));

  /** Marsaglia & Tsang, ACM Transactions on Mathematical Software 26 (2000); shapes below 1 by a power of a uniform number. */
  function gamma(shape: number): number {
    if (shape < 1) return gamma(shape + 1) * Math.max(uniform(), 1e-300) ** (1 / shape);
    const d = shape - 1 / 3;
    const c = 1 / Math.sqrt(9 * d);
    for (;;) {
      const z = normal();
      const v = (1 + c * z) ** 3;
      if (v > 0 && Math.log(Math.max(uniform(), 1e-300)) < 0.5 * z * z + d - d * v + d * Math.log(v)) return d * v;
    }
  }

  function poisson(mean: number): number {
    // A Poisson count splits into independent parts; 30 at a time keeps exp(-mean) exact.
    let count = 0;
    for (let rest = mean; rest > 0; rest -= 30) {
      const limit = Math.exp(-Math.min(rest, 30));
      for (let product = uniform(); product > limit; product *= uniform()) count++;
    }
    return count;
  }

  return {
    uniform,
    between: (low, high) => low + (high - low) * uniform(),
    normal,
    gamma,
    poisson,
    count: (mean, dispersion) =>
      dispersion <= 1 ? poisson(mean) : poisson(gamma(mean / (dispersion - 1)) * (dispersion - 1)),
    pick: (choices) => choices[Math.floor(uniform() * choices.length)]!,
  };
}
