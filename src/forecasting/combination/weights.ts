import { sumOf } from '../../numeric/sum.js';
import { byMember, type MemberName } from './member-names.js';

/** Fixed weights of the members, in their order, for histories of at least `from` observed months. */
interface WeightsByLength {
  readonly from: number;
  readonly weights: readonly number[];
}

/** Observed months from which histories teach, and use, what the workspace's own backtest says of the members. */
export const LEARNING_FROM = 24;

/**
 * Longest first. From 48 months: chosen on the last four training origins of m3 and the last two of hospital. Below: chosen on the
 * last two origins of both sets with every history cut to 13, 18, 24, 30, 36 and 48 months. There the calendar regression is too
 * unsure to carry much weight; ridge-Fourier, which may switch the season off, is not.
 */
const WEIGHTS_BY_LENGTH: readonly WeightsByLength[] = [
  {
    from: 48,
    weights: vectorOf({
      averaged_ets: 0.15,
      dynamic_theta: 0.15,
      theta: 0.15,
      seasonal_naive: 0.06,
      network: 0.25,
      network_adjusted: 0.25,
      ridge_fourier: 0.05,
      pooled_autoregression: 0.1,
    }),
  },
  {
    from: LEARNING_FROM,
    weights: vectorOf({
      averaged_ets: 0.13,
      dynamic_theta: 0.13,
      theta: 0.08,
      seasonal_naive: 0.05,
      network: 0.38,
      network_adjusted: 0.13,
      ridge_fourier: 0.1,
      pooled_autoregression: 0.05,
    }),
  },
  { from: 13, weights: vectorOf({ seasonal_naive: 0.05, network: 0.65, ridge_fourier: 0.3 }) },
  { from: 0, weights: vectorOf({ network: 1 }) },
];

/** Weights before a workspace's own backtest speaks, for histories that are long enough for every member. */
export const PRIOR_WEIGHTS: readonly number[] = WEIGHTS_BY_LENGTH[0]!.weights;

/** Gains of a workspace that has nothing to learn from. */
export const NO_GAINS: readonly number[] = PRIOR_WEIGHTS.map(() => 1);

/**
 * Largest gains, kept at each step of learning (learn-gains.ts). The pooled autoregression alone has a bound: it is learned from the
 * same years as the gains, and where a shock is common to a workspace both take it for the rule. Over 32 training origins of eight sets
 * it is worth .6 % of MASE with the bound and .8 % without it, but on US retail sales after the recession of 2009 it loses 8 %
 * with this one and 14 % without.
 */
export const MAX_GAINS: readonly number[] = byMember((name) => (name === 'pooled_autoregression' ? 2 : Infinity));

/**
 * Factors on the weights where growth is steady (steady-growth.ts): it goes on, and members that know no trend, or half of one, hold
 * the others back. Chosen on 774 such histories of eight sets at up to 24 training origins, where they gain 4.1 % of MASE on FRED-MD
 * and 1.2 % on the others. Factors of 2 in place of 3 and an even split between averaged ETS and the network are nearly as good.
 * The others get no weight.
 */
const STEADY_FACTORS = vectorIn({ averaged_ets: 3, network: 2, network_adjusted: 1 });

/**
 * Weights for a history of that many observed months: the fixed ones, times the members' gains in this workspace from
 * {@link LEARNING_FROM} months on, normalized.
 * @param steadiness of its growth, from 0 to 1
 */
export function weightsFor(observed: number, gains: readonly number[], steadiness = 0): readonly number[] {
  const { from, weights } = WEIGHTS_BY_LENGTH.find((entry) => observed >= entry.from)!;
  const learned = from >= LEARNING_FROM ? normalize(weights.map((weight, m) => weight * gains[m]!)) : weights;
  if (steadiness === 0) return learned;
  const moved = learned.map((weight, m) => weight * (1 + steadiness * (STEADY_FACTORS[m]! - 1)));
  return moved.some((weight) => weight > 0) ? normalize(moved) : learned;
}

function normalize(weights: readonly number[]): number[] {
  const total = sumOf(weights);
  return weights.map((weight) => weight / total);
}

/** Weights in the order of the members, 0 for those not named, that sum to one. */
function vectorOf(weights: Partial<Record<MemberName, number>>): readonly number[] {
  return normalize(vectorIn(weights));
}

/** Numbers in the order of the members, 0 for those not named. */
function vectorIn(numbers: Partial<Record<MemberName, number>>): number[] {
  return byMember((name) => numbers[name] ?? 0);
}
