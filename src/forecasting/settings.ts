import type { EngineSettings } from './types.js';

/** Longest horizon that can be asked for, in months. */
export const MAX_HORIZON = 36;

/** Whole numbers that a setting may be, both ends included. */
export const SETTING_RANGES = {
  horizon: { minimum: 1, maximum: MAX_HORIZON },
  backtestWindows: { minimum: 0, maximum: 6 },
  minHistory: { minimum: 1, maximum: MAX_HORIZON },
  seed: { minimum: 0, maximum: 0xffffffff },
} as const;

/** Months of one backtest window at most: a year shows every season once. */
const MAX_WINDOW_MONTHS = 12;

/** What a run uses where nothing else is asked for. */
export const DEFAULT_SETTINGS: EngineSettings = {
  horizon: 12,
  models: ['auto'],
  backtestWindows: 1,
  minHistory: 1,
  outliers: 'dampen',
  seed: 1,
};

/** Months between two backtest origins, and months of one backtest window. */
export function windowMonths(settings: EngineSettings): number {
  return Math.min(settings.horizon, MAX_WINDOW_MONTHS);
}

/** Throws RangeError naming the setting that is out of its range. */
export function checkSettings(settings: EngineSettings): void {
  checkWhole(settings, 'horizon');
  checkWhole(settings, 'backtestWindows');
  checkWhole(settings, 'minHistory');
  checkWhole(settings, 'seed');
  if (settings.models.length === 0) throw new RangeError('models: at least one method is needed');
}

function checkWhole(settings: EngineSettings, name: keyof typeof SETTING_RANGES): void {
  const value = settings[name];
  const { minimum, maximum } = SETTING_RANGES[name];
  if (!Number.isInteger(value) || value < minimum || value > maximum) {
    throw new RangeError(`${name}: expected a whole number from ${minimum} to ${maximum}, got ${value}`);
  }
}
