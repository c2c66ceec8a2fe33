import { isInfrequent } from '../routing/classify.js';
import { isInWholeUnits } from '../../numeric/whole-units.js';
import { median } from '../../numeric/sample-quantile.js';
import { cutStart, sinceFirstDemand } from '../history.js';
import { countObserved, meanObserved, observedValues } from '../missing.js';
import type { DemandHistory } from '../types.js';
import { infrequentChanges } from './infrequent/infrequent-changes.js';
import { regularChanges } from './regular/regular-changes.js';
import { ChangeKind, ChangeOptions, DEFAULT_CHANGE_OPTIONS, DemandChange } from './types.js';

/** Months that wait before they count for the choice of the chart: a shift must not choose the chart that judges it. */
const DELAY = 6;
/** Months that the choice rests on at least. */
const MIN_MONTHS = 24;
/**
 * A silence before the first order of more than this many of the longest of the two years after it was one before a launch. With 1,
 * chance ones are taken for that too, and .8 of 100 rises of rare orders fewer are found where nothing was launched.
 */
const BEFORE_LAUNCH = 2;
/** Share of the usual month from which the first months of a product are no longer those of its launch. With .5, fewer shifts are found after slow launches. */
const LAUNCHED = 0.75;
/** Factor around a new level beyond which a month is more than its season and noise. */
const BEYOND = 1.5;
/** Which level shift explains a single month. */
const SHIFT_OF: Partial<Record<ChangeKind, ChangeKind>> = { spike: 'level_shift_up', drop: 'level_shift_down' };

/**
 * Every level shift, spike and drop in a history, oldest first, each found with what was known by its `detectedMonth` only: a
 * run reports those whose `detectedMonth` is its latest month, and a later run over a longer history finds them again, except
 * the single months that a level shift, once found, explains. The message and `isOver` alone know more: that a change of level has ended since.
 * Empty for histories under 25 observed months. Missing months (NaN) are missing, not zero. Never throws; about .3 ms for 84 months.
 */
export function detectChanges(history: DemandHistory, asked: ChangeOptions = DEFAULT_CHANGE_OPTIONS): DemandChange[] {
  const options = isInWholeUnits(history.values) ? asked : { ...asked, minimumUnits: 0 };
  // months before a launch, which exports fill with zeros, are no evidence of what is usual since
  const sold = sinceFirstDemand(history);
  const infrequent = infrequentMonths(history, sold);
  const changesWhere = (kind: boolean, find: () => DemandChange[]): DemandChange[] =>
    infrequent.includes(kind)
      ? find().filter(({ detectedMonth }) => infrequent[detectedMonth - history.startMonth] === kind)
      : [];
  const findings = [
    ...changesWhere(false, () => regularChanges(sinceLaunch(sold), options)),
    ...changesWhere(true, () => ordersChanges(history, sold, options)),
  ];
  return findings
    .filter((change) => !isExplained(change, findings, history, options.coolDown))
    .sort((a, b) => a.detectedMonth - b.detectedMonth);
}

/**
 * A history that begins with demand, without its first months far below the median of its first two years: what is
 * sold while a product is launched would be learned as growth and scatter.
 */
function sinceLaunch(sold: DemandHistory): DemandHistory {
  const usual = observedValues(sold.values.subarray(0, MIN_MONTHS));
  const least = LAUNCHED * median(usual);
  const first = sold.values.findIndex((value) => value >= least);
  return cutStart(sold, Math.max(first, 0));
}

/**
 * As {@link infrequentChanges}. Two years after a launch the months before it no longer count: it has been reported by then, and would be
 * found as a rise years later, where orders are rare.
 */
function ordersChanges(history: DemandHistory, sold: DemandHistory, options: ChangeOptions): DemandChange[] {
  const changes = infrequentChanges(history, options);
  const before = countObserved(history.values) - countObserved(sold.values);
  if (before <= BEFORE_LAUNCH * longestSilence(sold.values.subarray(0, MIN_MONTHS))) return changes;
  const known = sold.startMonth + MIN_MONTHS;
  return [
    ...changes.filter(({ detectedMonth }) => detectedMonth < known),
    ...infrequentChanges(sold, options).filter(({ detectedMonth }) => detectedMonth >= known),
  ];
}

/** Most observed months in a row without demand. */
function longestSilence(values: Float64Array): number {
  let [longest, silent] = [0, 0];
  for (const value of values) {
    if (Number.isNaN(value)) continue;
    silent = value === 0 ? silent + 1 : 0;
    longest = Math.max(longest, silent);
  }
  return longest;
}

/** For each month whether demand is infrequent by what is known when it is judged: in the first two years of sale by all months. */
function infrequentMonths({ values }: DemandHistory, sold: DemandHistory): boolean[] {
  const first = values.length - sold.values.length;
  const [ofAll, ofSold] = [infrequentStarts(values), infrequentStarts(sold.values)];
  return Array.from(values, (_, t) => (t < first + MIN_MONTHS ? knownAt(ofAll, t) : knownAt(ofSold, t - first)));
}

/** Whether demand is infrequent in the first 0, 1, 2 ... months. */
function infrequentStarts(values: Float64Array): boolean[] {
  let [observed, demands] = [0, 0];
  const starts = [isInfrequent(observed, demands)];
  for (const value of values) {
    if (!Number.isNaN(value)) observed++;
    if (value !== 0 && !Number.isNaN(value)) demands++;
    starts.push(isInfrequent(observed, demands));
  }
  return starts;
}

/** What the months show that are known when month `t` is judged. */
function knownAt(starts: readonly boolean[], t: number): boolean {
  return starts[Math.min(Math.max(t - DELAY, MIN_MONTHS), starts.length - 1)]!;
}

/**
 * Whether a spike or drop is explained by a level shift of its direction: it is one of the months that the shift was found in, or
 * within the cool-down after them, and within a factor of 1.5 of the level that those months, or the last of them, show. To report
 * it as well would be to report it twice; a month that stands out from the new level too is reported.
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
    change.kind === 'spike' ? value < BEYOND * level : value >= level / BEYOND;
  return findings.some(({ kind, month, detectedMonth }) => {
    if (kind !== shift || change.month < month || change.month > detectedMonth + coolDown) return false;
    if (isNear(meanOf(history, month, detectedMonth))) return true;
    return change.month > detectedMonth && isNear(history.values[detectedMonth - history.startMonth]!);
  });
}

/** Mean of the observed months `first` to `last`. */
function meanOf({ startMonth, values }: DemandHistory, first: number, last: number): number {
  return meanObserved(values.subarray(first - startMonth, last - startMonth + 1));
}
