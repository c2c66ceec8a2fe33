import type { MonthNumber } from '../types.js';

/** Kinds of findings in a history. */
export const CHANGE_KINDS = ['level_shift_up', 'level_shift_down', 'spike', 'drop', 'trend_change'] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

/** `high` from a change of half the demand on, `medium` from a quarter on. */
export const SEVERITIES = ['low', 'medium', 'high'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** 1: demand rose; -1: it fell. */
export type Direction = 1 | -1;

/** One finding in the history of a series. */
export interface DemandChange {
  readonly kind: ChangeKind;
  /** Month that the change concerns: the month of a spike or drop, the first month of a new level or trend. */
  readonly month: MonthNumber;
  /** Month whose observation gave it away; runs tell it from then on, once. */
  readonly detectedMonth: MonthNumber;
  readonly severity: Severity;
  /** Observed against expected demand, percent, -100 or more; for a trend change the new trend, percent a year, 0 for stable. */
  readonly changePercent: number;
  /** One sentence for people, made of the numbers above. */
  readonly message: string;
  /** Set on a level shift that takes demand back to where it was before the shift ahead of it. */
  readonly undoesFormer?: true;
  /** Set on a spike or drop of regular demand that goes on with that of the month before, by about as much. */
  readonly continuesFormer?: true;
  /** Set on a level shift that no longer lasts: like the message, this knows the months after `detectedMonth`. */
  readonly isOver?: true;
}

/** What a level shift tells of the trend after it. */
export type LevelShift = Pick<DemandChange, 'kind' | 'month'>;

/** Whether demand went to another level, in contrast to a single month that stands out. */
export function isLevelShift({ kind }: DemandChange): boolean {
  return kind === 'level_shift_up' || kind === 'level_shift_down';
}

/** What is reported, and how soon. */
export interface ChangeOptions {
  /** Decision limit of the CUSUM of regular demand; 5, or 4 for important items. Infrequent demand has limits of its own. */
  readonly decisionLimit: number;
  /** Smallest change worth reporting, as a share of the expected demand. */
  readonly minimumChange: number;
  /** Smallest change worth reporting in pieces, summed over its months; applies to demand in whole pieces. */
  readonly minimumUnits: number;
  /** Months after a level shift during which no other shift of the same direction is reported. */
  readonly coolDown: number;
}

/** Options for items of usual importance; the benchmark's bars hold for them. */
export const DEFAULT_CHANGE_OPTIONS: ChangeOptions = {
  decisionLimit: 5,
  minimumChange: 0.15,
  minimumUnits: 3,
  coolDown: 6,
};

/**
 * Options for items that a planner marked as important: the lower limit reports some shifts of regular demand earlier, at more
 * false alarms.
 */
export const IMPORTANT_CHANGE_OPTIONS: ChangeOptions = { ...DEFAULT_CHANGE_OPTIONS, decisionLimit: 4 };

/** A change in percent as alerts report it, to a tenth. */
export function roundedPercent(changePercent: number): number {
  return Math.round(changePercent * 10) / 10;
}

/** Severity of a change in percent, as it is reported and whatever its direction. */
export function severityOf(changePercent: number): Severity {
  const size = Math.abs(roundedPercent(changePercent));
  if (size >= 50) return 'high';
  return size >= 25 ? 'medium' : 'low';
}
