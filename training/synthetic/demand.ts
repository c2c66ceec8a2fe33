import { clamp } from '../../src/numeric/clamp.js';
import { type Random } from '../random.js';

/** Continuous demand from a series on the log scale: multiplicative in seven of ten cases, at a level from fractions to millions. */
function quantities(random: Random, z: Float64Array): void {
  const multiplicative = random.chance(0.7);
  const level = random.lognormal(4, 2.5);
  const nonNegative = random.chance(0.85);
  for (let t = 0; t < z.length; t++) {
    const x = level * (multiplicative ? Math.exp(clamp(z[t]!, -6, 6)) : 1 + z[t]!);
    z[t] = nonNegative ? Math.max(x, 0) : x;
  }
}

/** Counts of a small mean: Poisson, mostly overdispersed by a gamma (so negative binomial), half of them with extra zeros. */
function counts(random: Random, z: Float64Array): void {
  const mean = random.lognormal(0.2, 1.5);
  let total = 0;
  for (let t = 0; t < z.length; t++) total += z[t] = Math.min(Math.exp(clamp(z[t]!, -4, 3)), 20);
  const shape = random.chance(0.7) ? random.uniform(0.3, 6) : 0;
  const zeroShare = random.chance(0.5) ? random.uniform() : 0;
  const factor = mean / Math.max(total / z.length, 1e-6);
  for (let t = 0; t < z.length; t++) {
    const rate = z[t]! * factor * (shape > 0 ? random.gamma(shape, 1 / shape) : 1);
    z[t] = random.chance(zeroShare) ? 0 : random.poisson(Math.min(rate, 1e4));
  }
}

/** Turns a series on the log scale into demand, in place; a quarter are counts. */
export function toDemand(random: Random, z: Float64Array): void {
  if (random.chance(0.25)) counts(random, z);
  else quantities(random, z);
}
