/**
 * The Mann-Whitney test of whether two samples come from the same distribution (Mann and Whitney 1947), by the normal approximation without
 * ties, which are rare in measured times.
 * @returns `share`: probability that a value of `a` exceeds one of `b` (0.5 for equal distributions); `z`: its distance from 0.5 in
 * standard deviations
 */
export function rankTest(a: readonly number[], b: readonly number[]): { share: number; z: number } {
  const ranked = [...a.map((value) => ({ value, own: true })), ...b.map((value) => ({ value, own: false }))].sort(
    (one, other) => one.value - other.value,
  );
  const rankSum = ranked.reduce((sum, { own }, index) => (own ? sum + index + 1 : sum), 0);
  const pairs = a.length * b.length;
  const share = (rankSum - (a.length * (a.length + 1)) / 2) / pairs;
  const deviation = Math.sqrt((a.length + b.length + 1) / (12 * pairs));
  return { share, z: (share - 0.5) / deviation };
}
