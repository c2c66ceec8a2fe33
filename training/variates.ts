/**
 * Gamma variate of mean `shape * scale` (Marsaglia & Tsang, ACM Transactions on Mathematical Software 26, 2000); shapes below 1 by
 * a power of a uniform number.
 * @param normal draws from the standard normal distribution
 * @param positive draws uniformly from (0, 1]
 */
export function drawGamma(shape: number, scale: number, normal: () => number, positive: () => number): number {
  if (shape < 1) return drawGamma(shape + 1, scale, normal, positive) * positive() ** (1 / shape);
  const d = shape - 1 / 3;
  const c = 1 / Math.sqrt(9 * d);
  for (;;) {
    const z = normal();
    const v = (1 + c * z) ** 3;
    if (v > 0 && Math.log(positive()) < 0.5 * z * z + d - d * v + d * Math.log(v)) return d * v * scale;
  }
}

/**
 * Poisson variate by multiplying uniform numbers, as many as it counts: for means of at most some hundreds.
 * @param uniform draws uniformly from [0, 1)
 */
export function drawPoisson(mean: number, uniform: () => number): number {
  const limit = Math.exp(-mean);
  let count = 0;
  for (let product = uniform(); product > limit; product *= uniform()) count++;
  return count;
}
