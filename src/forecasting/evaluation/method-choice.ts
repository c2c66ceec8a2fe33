import type { BacktestWindow, ModelName, MonthNumber } from '../types.js';
import { seriesAccuracy } from './accuracy.js';

/** A method and its backtest of one series, oldest window first. */
export interface Candidate {
  readonly model: ModelName;
  readonly windows: readonly BacktestWindow[];
}

/**
 * By the sum of absolute errors over the backtest, lowest first; candidates without one keep their order behind the others. Methods
 * that need fewer months have windows at older origins too: only those that all candidates with a backtest have are compared, of
 * the same series and months, so that no scale is needed. The window that begins in `except` is left out.
 */
export function rankByBacktest(candidates: readonly Candidate[], except?: MonthNumber): readonly Candidate[] {
  if (candidates.length === 1) return candidates;
  const tested = candidates.filter(({ windows }) => windows.length > 0);
  const isCompared = ({ firstMonth }: BacktestWindow): boolean =>
    firstMonth !== except && tested.every(({ windows }) => windows.some((window) => window.firstMonth === firstMonth));
  const scored = candidates.map((candidate) => ({
    candidate,
    error: candidate.windows.length > 0 ? seriesAccuracy(candidate.windows.filter(isCompared)).absoluteError : Infinity,
  }));
  return scored.sort((a, b) => (a.error === b.error ? 0 : a.error - b.error)).map(({ candidate }) => candidate);
}

/**
 * The backtest of choosing a method: each window as forecast by the method that is best on the others, of those that can forecast
 * it; the first named where there is no other. A window that took part in the choice would flatter it: of several methods the
 * one that was best there was also lucky there.
 */
export function windowsOfOthersChoice(candidates: readonly Candidate[]): readonly BacktestWindow[] {
  const firstMonths = new Set(candidates.flatMap(({ windows }) => windows.map(({ firstMonth }) => firstMonth)));
  return [...firstMonths]
    .sort((a, b) => a - b)
    .map((month) => {
      const choices = rankByBacktest(candidates, month).flatMap(({ windows }) => windows);
      return choices.find(({ firstMonth }) => firstMonth === month)!;
    });
}
