/**
 * Normal score of a Student t variable with `freedom` (> 0) degrees of freedom: the standard normal quantile of its probability,
 * approximately (Wallace, Annals of Mathematical Statistics 30, 1959).
 */
export function normalScore(t: number, freedom: number): number {
  const size = ((8 * freedom + 1) / (8 * freedom + 3)) * Math.sqrt(freedom * Math.log1p((t * t) / freedom));
  return t < 0 ? -size : size;
}
