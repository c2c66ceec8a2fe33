import { clamp } from '../../src/numeric/clamp.js';
import { normalQuantile } from '../../src/numeric/normal.js';
import { drawGamma, drawPoisson } from '../../training/variates.js';

/** Draws from one stream of uniform numbers in [0, 1). */
export interface Draws {
  uniform(): number;
  /** Uniform between two bounds. */
  between(low: number, high: number): number;
  normal(): number;
  gamma(shape: number): number;
  /** Count with `mean` and variance `mean * dispersion` (Poisson when dispersion is 1). */
  count(mean: number, dispersion: number): number;
  pick<T>(choices: readonly T[]): T;
}

/** @param uniform the stream, which every draw takes from */
export function drawsFrom(uniform: () => number): Draws {
  const normal = () => normalQuantile(clamp(uniform(), 1e-12, 1 - 1e-12));
  const positive = () => Math.max(uniform(), 1e-300);
  const gamma = (shape: number) => drawGamma(shape, 1, normal, positive);

  function poisson(mean: number): number {
    // A Poisson count splits into independent parts, so that any mean can be drawn.
    let count = 0;
    for (let rest = mean; rest > 0; rest -= 30) count += drawPoisson(Math.min(rest, 30), uniform);
    return count;
  }

  return {
    uniform,
    between: (low, high) => low + (high - low) * uniform(),
    normal,
    gamma,
    count: (mean, dispersion) =>
      dispersion <= 1 ? poisson(mean) : poisson(gamma(mean / (dispersion - 1)) * (dispersion - 1)),
    pick: (choices) => choices[Math.floor(uniform() * choices.length)]!,
  };
}
