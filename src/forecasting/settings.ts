import type { EngineSettings } from './types.js';

/** Longest horizon that can be asked for, in months. */
export const LARGEST_HORIZON = 36;
/** Most rolling origins of a backtest. */
export const LARGEST_BACKTEST_WINDOWS = 6;
/** Months of one backtest window at most: a year shows every season once. */
const LARGEST_WINDOW_MONTHS = 12;

/** What a run uses where nothing else is asked for. */
export const DEFAULT_SETTINGS: EngineSettings = {
  horizon: 12,
  models: ['auto'],
  backtestWindows: 1,
  minHistory: 1,
  outliers: 'keep',
  seed: 1,
};

/** Months between two backtest origins, and months of one backtest window. */
export function windowMonths(settings: EngineSettings): number {
  return Math.min(settings.horizon, LARGEST_WINDOW_MONTHS);
}

/** Throws RangeError naming the setting that is out of its range. */
export function checkSettings(settings: EngineSettings): void {
  checkWhole('horizon', settings.horizon, 1, LARGEST_HORIZON);
  checkWhole('backtestWindows', settings.backtestWindows, 0, LARGEST_BACKTEST_WINDOWS);
  checkWhole('minHistory', settings.minHistory, 1, LARGEST_HORIZON);
  checkWhole('seed', settings.seed, 0, 0xffffffff);
  if (settings.models.length === 0) throw new RangeError('models: at least one method is needed');
}

function checkWhole(name: string, value: number, lowest: number, highest: number): void {
  if (!Number.isInteger(value) || value < lowest || value > highest) {
    throw new RangeError(`${name}: expected a whole number from ${lowest} to ${highest}, got ${value}`);
  }
}
