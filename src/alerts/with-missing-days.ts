import type { DemandChange } from '../forecasting/change/index.js';
import { parseMonth } from '../forecasting/index.js';
import { dayInWords } from '../platform/in-words.js';
import type { MissingDays } from '../series/index.js';

/** A fall in months that lack days says so in its message: the days may explain it. */
export function withMissingDays(change: DemandChange, missingDays: readonly MissingDays[]): DemandChange {
  if (change.kind !== 'drop' && change.kind !== 'level_shift_down') return change;
  const within = missingDays.filter(
    ({ from, to }) => monthOf(from) <= change.detectedMonth && monthOf(to) >= change.month,
  );
  if (within.length === 0) return change;
  const spans = within.map(({ from, to }) => `from ${inWords(from)} to ${inWords(to)}`);
  return {
    ...change,
    message: `${change.message} No series has demand on record ${spans.join(' and ')}: check whether these days were uploaded.`,
  };
}

const monthOf = (day: string) => parseMonth(day.slice(0, 7));
const inWords = (day: string) => dayInWords(new Date(day));
