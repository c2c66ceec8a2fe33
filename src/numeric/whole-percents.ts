import { sumOf } from './sum.js';

/**
 * Shares of a whole in whole percent, which add up to as much: rounded down, and what is missing then goes to the largest remainders
 * (Hamilton's method).
 * @param shares not negative, of sum 1, or 0 if there is nothing to share
 */
export function wholePercents(shares: readonly number[]): number[] {
  const percents = shares.map((share) => Math.floor(100 * share));
  const missing = Math.round(100 * sumOf(shares)) - sumOf(percents);
  const remainder = (at: number): number => 100 * shares[at]! - percents[at]!;
  const largest = [...shares.keys()].sort((a, b) => remainder(b) - remainder(a)).slice(0, missing);
  return percents.map((percent, at) => percent + (largest.includes(at) ? 1 : 0));
}
