import { classifyDemand } from '../routing/classify.js';
import { comesInWholeUnits } from '../../numeric/whole-units.js';
import type { DemandHistory } from '../types.js';
import { intermittentChanges } from './infrequent/infrequent-changes.js';
import { regularChanges } from './regular/regular-changes.js';
import { ChangeKind, ChangeOptions, DEFAULT_CHANGE_OPTIONS, DemandChange } from './types.js';

/** Months that wait before they tell which chart suits a history: a shift must not choose the chart it is judged by. */
const DELAY = 6;
/** Months that tell it at least. */
const FEWEST_MONTHS = 24;
/** How many times the new level, or what share of it, is more than its season and its noise. */
const BEYOND = 1.5;
/** Which level shift explains a single month. */
const SHIFT_OF: Partial<Record<ChangeKind, ChangeKind>> = { spike: 'level_shift_up', drop: 'level_shift_down' };

/**
 * Every level shift, spike and drop in a history, oldest first, each found with what was known by its `detectedMonth` only: a
 * run tells those whose `detectedMonth` is its latest month, and a later run over a longer history finds them again, but for
 * the single months that a level shift, once found, explains. Empty for histories under 25 observed months. Missing months (NaN)
 * are missing, not zero. Never throws; about .3 ms for 84 months.
 */
export function detectChanges(history: DemandHistory, options: ChangeOptions = DEFAULT_CHANGE_OPTIONS): DemandChange[] {
  const unitFloor = comesInWholeUnits(history.values) ? options.minimumUnits : 0;
  const infrequent = history.values.map((_, t) => Number(isInfrequentBefore(history.values, t)));
  const findings = [
    ...(infrequent.includes(0) ? regularChanges(history, options, unitFloor) : []).filter(
      (change) => infrequent[change.detectedMonth - history.startMonth] === 0,
    ),
    ...(infrequent.includes(1) ? intermittentChanges(history, options, unitFloor) : []).filter(
      (change) => infrequent[change.detectedMonth - history.startMonth] === 1,
    ),
  ];
  return findings
    .filter((change) => !isExplained(change, findings, history, options.coolDown))
    .sort((a, b) => a.detectedMonth - b.detectedMonth);
}

/** Whether demand is infrequent by what is known when month `t` is judged. */
function isInfrequentBefore(values: Float64Array, t: number): boolean {
  return classifyDemand(values.subarray(0, Math.max(t - DELAY, FEWEST_MONTHS))).infrequent;
}

/**
 * Whether a level shift of its direction explains a month far off: one of the months that gave the shift away, or within the
 * cool-down after it, and no farther out than half again the level that those months, or the last of them, show. Telling it too
 * would be telling it twice; a month that stands out from the new level as well is news of its own.
 */
function isExplained(
  change: DemandChange,
  findings: readonly DemandChange[],
  history: DemandHistory,
  coolDown: number,
): boolean {
  const shift = SHIFT_OF[change.kind];
  const value = history.values[change.month - history.startMonth]!;
  const isNear = (level: number): boolean =>
    change.kind === 'spike' ? value < BEYOND * level : value > level / BEYOND;
  return findings.some(({ kind, month, detectedMonth }) => {
    if (kind !== shift || change.month < month || change.month > detectedMonth + coolDown) return false;
    if (isNear(meanOf(history, month, detectedMonth))) return true;
    return change.month > detectedMonth && isNear(history.values[detectedMonth - history.startMonth]!);
  });
}

/** Mean of the observed months `first` to `last`. */
function meanOf({ startMonth, values }: DemandHistory, first: number, last: number): number {
  const observed = values.subarray(first - startMonth, last - startMonth + 1).filter(Number.isFinite);
  return observed.reduce((sum, value) => sum + value, 0) / observed.length;
}
