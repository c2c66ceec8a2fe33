import { type DemandHistory, SEASON } from '../../types.js';
import { SPIKE_SCORE, WARM_UP } from '../detection-limits.js';
import { isMaterial } from '../materiality.js';
import { type LaterMonth, levelShift, type ShiftTotals, spikeOrDrop } from '../messages.js';
import type { ChangeOptions, DemandChange, Direction } from '../types.js';
import { JudgedSeries } from './judged-series.js';
import { firstMonthOfLevel, isOver, strongestShift } from './level-shift-search.js';
import type { ObservedMonth, Prediction } from './predictor-state.js';
import { singleMonthDeviation, toRootScale } from './root-scale.js';
import { TwoSidedCusum } from './two-sided-cusum.js';

/** Spikes, drops and level shifts of regular demand; needs 24 observed months before the first finding. */
export function regularChanges(history: DemandHistory, options: ChangeOptions): DemandChange[] {
  const observed: ObservedMonth[] = [];
  history.values.forEach((value, index) => {
    if (Number.isFinite(value)) observed.push({ index, value: toRootScale(value) });
  });
  if (observed.length <= WARM_UP) return [];
  const detector = new RegularChangeDetector(new JudgedSeries(history, observed), options);
  for (let at = WARM_UP; at < observed.length; at++) detector.judge(at);
  return detector.changes;
}

/** Factor around the level from before a shift within which a month that stands out is back there. */
const BACK_WITHIN = 1.5;
/** Factor within which two months are of what was expected of them alike. */
const ALIKE_WITHIN = 1.5;
/** Share of a month's deviation from which those of the two months before it make it no single month. */
const NO_SINGLE = 0.5;
/** Months about the level from before a shift after which they are judged like any others: fewer scatter too much to say that it is another one. */
const MONTHS_TO_BE_BACK = 4;
/** Standard errors within which months lie where they were expected. */
const BY_CHANCE = 2;
/** Months without demand, one of them reported as a drop, after which it is no news that demand has ended: the trend label shows that. */
const SILENT = 3;

/** A level shift. */
interface Shift {
  /** Its first observed month, and the one that gave it away. */
  readonly start: number;
  readonly end: number;
  readonly direction: Direction;
}

/**
 * Judges the observed months of one series in turn, each by what was known before it: normal scores of one-step errors in a
 * self-starting CUSUM (Hawkins, The Statistician 36, 1987), whose alarms must stand the test of a step.
 */
class RegularChangeDetector {
  readonly changes: DemandChange[] = [];
  private readonly cusum: TwoSidedCusum;
  /** The last level shift that was reported. */
  private former: Shift | undefined;
  /** First of the months up to now that are back at the level from before it. */
  private back: number | undefined;
  /** First observed month after those that the last shift was found in: no shift starts earlier. */
  private earliest = WARM_UP;

  constructor(
    private readonly series: JudgedSeries,
    private readonly options: ChangeOptions,
  ) {
    this.cusum = new TwoSidedCusum(options.decisionLimit, options.coolDown);
  }

  judge(at: number): void {
    const { series } = this;
    const month = series.observed[at]!;
    const prediction = series.predict(at);
    this.judgeAlone(at, outlierDirection(month, prediction));
    const score =
      prediction.score(month.value - prediction.expected) * series.predictor.scale.serialCorrelationFactor();
    const alarm = this.cusum.add(score, month.index);
    series.learn(at);
    if (!this.judgeReturn(at) && alarm && !this.mayBeBack(at)) this.judgeAlarm(at, alarm);
  }

  /** Judges a month that by itself is more than noise in a direction: it is a spike or drop, unless others explain it. */
  private judgeAlone(at: number, direction: Direction | undefined): void {
    // the month after one that was back need not stand out: the level has been learned from that one since
    const toFormer = direction ?? (this.back === undefined ? undefined : opposite(this.former!.direction));
    if (toFormer && this.isBack(at, toFormer)) {
      this.back ??= at;
      return;
    }
    // no shift came of the months that were back until now, so each was a spike or drop
    for (let i = this.back ?? at; i < at; i++) this.reportOutlier(i, at);
    this.back = undefined;
    if (direction && !this.isReportedSilence(at) && !this.continues(at, direction)) this.reportOutlier(at, at);
  }

  /** Reports month `at` as a spike or drop, known as one in the month `known`. */
  private reportOutlier(at: number, known: number): void {
    const { history, observed: months } = this.series;
    const { observed, expected } = this.series.totals(at, at);
    if (!hasDemand(observed, expected) || !isMaterial(Math.abs(observed - expected), expected, this.options)) return;
    const change = spikeOrDrop(history, months[at]!.index, observed, expected, months[known]!.index);
    const before = history.startMonth + months[at - 1]!.index;
    const continues = this.changes.some((former) => former.month === before && isAlike(former, change));
    this.changes.push(continues ? { ...change, continuesFormer: true } : change);
  }

  /** Whether the month is about where it would be without the last shift, of the other direction and of the year before. */
  private isBack(at: number, direction: Direction): boolean {
    if (!this.former || !this.mayUndo(at, direction)) return false;
    const { observed, expected } = this.series.totals(at, at, this.former.start);
    return observed < BACK_WITHIN * expected && observed > expected / BACK_WITHIN;
  }

  /** Whether the month goes on with others without demand, of which one was reported as a drop. */
  private isReportedSilence(at: number): boolean {
    return this.series.observed[at]!.value === 0 && this.hasReportedDrop(this.silentSince(at));
  }

  /** Whether a drop was reported in observed month `first` or later. */
  private hasReportedDrop(first: number): boolean {
    const since = this.series.history.startMonth + this.series.observed[first]!.index;
    return this.changes.some(({ kind, month }) => kind === 'drop' && month >= since);
  }

  /**
   * Whether the two months before went the same way, by half as far at least: the month is then no single one. Of goods that fade
   * away each month would be reported, against what they sold half a year before. That there is no demand left is reported all the same.
   */
  private continues(at: number, direction: Direction): boolean {
    if (this.series.observed[at]!.value === 0) return false;
    const [earlier, before, now] = this.series.errors(at - 2, at, at).map((error) => direction * error);
    return Math.min(earlier!, before!) >= NO_SINGLE * now!;
  }

  /** Reports a level shift where an alarm of the CUSUM in month `end` stands the test of a step. */
  private judgeAlarm(end: number, direction: Direction): void {
    const { earliest } = this;
    const alarm = { earliest, end, direction, limit: this.options.decisionLimit };
    const { start: from, margin } = strongestShift(this.series, alarm);
    if (!(margin > 0)) return;
    const start = firstMonthOfLevel(this.series, from, alarm);
    const totals = this.series.totals(start, end);
    const size = direction * (totals.observed - totals.expected);
    if (!hasDemand(totals.observed, totals.expected) || !isMaterial(size, totals.expected, this.options)) return;
    if (isOver(this.series, start, alarm)) return;
    const shift = { start, end, direction };
    this.restartAfter(shift, totals, this.isUndone(shift, totals));
  }

  /** Reports two months in a row that are back at the level from before the last shift: no more of them are needed to be sure of it. */
  private judgeReturn(end: number): boolean {
    const { back: start, former } = this;
    if (start === undefined || start === end || !former) return false;
    const shift: Shift = { start, end, direction: opposite(former.direction) };
    const totals = this.series.totals(start, end);
    if (!this.isUndone(shift, totals)) return false;
    this.restartAfter(shift, totals, true);
    return true;
  }

  /** Whether the months up to `at` are about the level from before the last shift, and too few to distinguish it from another one. */
  private mayBeBack(at: number): boolean {
    return this.back !== undefined && at - this.back + 1 < MONTHS_TO_BE_BACK;
  }

  /** Reports a shift, where it is news, and goes on from its level. */
  private restartAfter(shift: Shift, totals: ShiftTotals, undoesFormer: boolean): void {
    const { start, end, direction } = shift;
    const { history, observed } = this.series;
    const { index } = observed[end]!;
    if (!this.hadEnded(start, totals)) {
      const undone = undoesFormer ? observed[this.former!.start]!.index : undefined;
      const months = { start: observed[start]!.index, end: index, undone };
      const later = observed.slice(end + 1).map((_, i) => this.laterMonth(end + 1 + i, start, undoesFormer));
      if (!this.isOldNews(shift, totals)) this.changes.push(levelShift(history, months, totals, later));
      this.former = shift;
    }
    this.back = undefined;
    this.cusum.reported(direction, index);
    this.series.restartFrom(start, end);
    this.earliest = end + 1;
  }

  /** Month `at` after a shift that began in `start`. */
  private laterMonth(at: number, start: number, undoesFormer: boolean): LaterMonth {
    const atFormerLevel = undoesFormer ? this.series.totals(at, at, this.former!.start).expected : undefined;
    return { ...this.series.totals(at, at, start), atFormerLevel };
  }

  /** First of the months without demand in a row before month `at`, or `at`. */
  private silentSince(at: number): number {
    let first = at;
    while (first > 0 && this.series.observed[first - 1]!.value === 0) first--;
    return first;
  }

  /** Whether a shift to no demand tells no more than the one before it: there was none since one of its months. */
  private hadEnded(start: number, { observed }: ShiftTotals): boolean {
    if (observed !== 0) return false;
    const first = this.silentSince(start);
    return first < this.earliest && this.former !== undefined;
  }

  /** Whether a shift to no demand comes long after that was reported as a drop. */
  private isOldNews({ start, end }: Shift, { observed }: ShiftTotals): boolean {
    const first = this.silentSince(start);
    return observed === 0 && end - first >= SILENT && this.hasReportedDrop(first);
  }

  /**
   * Whether a shift takes demand back to where it would be without the last one, to within the smallest change worth reporting or
   * what chance explains.
   */
  private isUndone({ start, end, direction }: Shift, { observed }: ShiftTotals): boolean {
    if (!this.former || !this.mayUndo(start, direction)) return false;
    const known = this.former.start;
    const { expected } = this.series.totals(start, end, known);
    if (Math.abs(observed - expected) < this.options.minimumChange * expected) return true;
    return Math.abs(this.series.evidenceOfStep(start, end, known)) < BY_CHANCE;
  }

  /** Whether the last shift was of the other direction, and at most a year before month `start`. */
  private mayUndo(start: number, direction: Direction): boolean {
    const { former } = this;
    if (!former || former.direction === direction) return false;
    return this.series.observed[start]!.index - this.series.observed[former.end]!.index <= SEASON;
  }
}

/** Direction in which the month by itself is more than noise; undefined where it is not. */
function outlierDirection({ value }: ObservedMonth, { expected, score }: Prediction): Direction | undefined {
  const deviation = expected > 0 ? singleMonthDeviation(value, expected) : value - expected;
  if (!(Math.abs(score(deviation)) > SPIKE_SCORE)) return undefined;
  return deviation > 0 ? 1 : -1;
}

/** Whether two months stand out the same way and by about as much of what was expected of them. */
function isAlike(a: DemandChange, b: DemandChange): boolean {
  const [low, high] = [100 + a.changePercent, 100 + b.changePercent].sort((x, y) => x - y);
  return a.kind === b.kind && high! < ALIKE_WITHIN * low!;
}

function opposite(direction: Direction): Direction {
  return direction > 0 ? -1 : 1;
}

/** Returns where no demand was expected are no fall of it: reported month by month they would repeat the shift that led there. */
function hasDemand(observed: number, expected: number): boolean {
  return observed > 0 || expected > 0;
}
