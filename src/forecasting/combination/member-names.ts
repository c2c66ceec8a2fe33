/** Members of the combination, in the order of every vector of weights, gains or forecasts. Gains are stored in this order: new ones come last. */
const MEMBER_NAMES = [
  'averaged_ets',
  'dynamic_theta',
  'theta',
  'seasonal_naive',
  'network',
  'network_adjusted',
  'ridge_fourier',
  'pooled_autoregression',
] as const;
export type MemberName = (typeof MEMBER_NAMES)[number];

/** One entry a member, in their order. */
export function byMember<T>(entry: (name: MemberName, index: number) => T): T[] {
  return MEMBER_NAMES.map(entry);
}
