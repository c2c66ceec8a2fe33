import { type DemandHistory, SEASON } from '../../types.js';
import { SPIKE_SCORE, WARM_UP } from '../detection-limits.js';
import { isMaterial } from '../materiality.js';
import { levelShift, type ShiftTotals, spikeOrDrop } from '../messages.js';
import type { ChangeOptions, DemandChange, Direction } from '../types.js';
import { type Alarm, firstMonthOfLevel, isOver, type JudgedSeries, strongestShift } from './level-shift-search.js';
import { type ObservedMonth, OneStepPredictor, type PredictorState } from './one-step-predictor.js';
import { fromRootScale, singleMonthDeviation, toRootScale } from './root-scale.js';
import { stepScore } from './step-test.js';
import { TwoSidedCusum } from './two-sided-cusum.js';

/** Spikes, drops and level shifts of regular demand; needs 24 observed months before the first finding. */
export function regularChanges(history: DemandHistory, options: ChangeOptions): DemandChange[] {
  const observed: ObservedMonth[] = [];
  history.values.forEach((value, index) => {
    if (Number.isFinite(value)) observed.push({ index, value: toRootScale(value) });
  });
  if (observed.length <= WARM_UP) return [];
  const detector = new RegularChangeDetector(history, observed, options);
  for (let at = WARM_UP; at < observed.length; at++) detector.judge(at);
  return detector.changes;
}

/** Factor around the level from before a shift within which a month that stands out is back there. */
const BACK_WITHIN = 1.5;
/** Share of a month's deviation from which those of the two months before it make it no single month. */
const NO_SINGLE = 0.5;
/** Months about the level from before a shift after which they are judged like any others: fewer scatter too much to say that it is another one. */
const MONTHS_TO_BE_BACK = 4;
/** Standard errors within which months lie where they were expected. */
const BY_CHANCE = 2;
/** Months without demand, one of them reported as a drop, after which it is no news that demand has ended: the trend label shows that. */
const SILENT = 3;

/** A level shift that was reported. */
interface ReportedShift {
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
  private readonly predictor: OneStepPredictor;
  private readonly cusum: TwoSidedCusum;
  /** What was known before each observed month, to measure a shift against what its first month should have been. */
  private readonly states: PredictorState[] = [];
  private readonly series: JudgedSeries;
  private former: ReportedShift | undefined;
  /** First of the months up to now that are back at the level from before the last shift. */
  private back: number | undefined;
  /** First observed month after those that the last shift was found in: no shift starts earlier. */
  private earliest = WARM_UP;

  constructor(
    private readonly history: DemandHistory,
    private readonly observed: readonly ObservedMonth[],
    private readonly options: ChangeOptions,
  ) {
    this.predictor = new OneStepPredictor(history.startMonth, observed.slice(0, WARM_UP));
    this.cusum = new TwoSidedCusum(options.decisionLimit, options.coolDown);
    this.series = { predictor: this.predictor, observed, states: this.states };
  }

  judge(at: number): void {
    const { index, value } = this.observed[at]!;
    if (this.observed[at - 1]!.index < index - 1) this.predictor.skip();
    const state = this.predictor.state();
    this.states[at] = state;
    const alone = this.outlierDirection(state, this.observed[at]!);
    const isBack = alone !== 0 && this.isBack(at, alone);
    if (!isBack) this.reportPassingReturn(at);
    if (alone !== 0 && !isBack && !this.isReportedSilence(at) && !this.continues(at, alone)) this.reportOutlier(at, at);
    this.back = isBack ? (this.back ?? at) : undefined;
    const direction = this.addToCusum(state, this.observed[at]!);
    this.predictor.update(state, index, value);
    if (this.judgeReturn(at) || !direction || this.mayBeBack(at)) return;
    this.judgeAlarm({ earliest: this.earliest, end: at, direction, limit: this.options.decisionLimit });
  }

  /** Direction in which the month by itself is more than noise; 0 where it is not. */
  private outlierDirection(state: PredictorState, { index, value }: ObservedMonth): Direction | 0 {
    const prediction = this.predictor.expected(state, index);
    const deviation = prediction > 0 ? singleMonthDeviation(value, prediction) : value - prediction;
    if (!(Math.abs(this.predictor.score(state, index, deviation)) > SPIKE_SCORE)) return 0;
    return deviation > 0 ? 1 : -1;
  }

  /** Reports month `at` as a spike or drop, known as one in the month `known`. */
  private reportOutlier(at: number, known: number): void {
    const { index } = this.observed[at]!;
    const expected = Math.max(fromRootScale(this.predictor.expected(this.states[at]!, index)), 0);
    const demand = this.history.values[index]!;
    if (hasDemand(demand, expected) && isMaterial(Math.abs(demand - expected), expected, this.options)) {
      this.changes.push(spikeOrDrop(this.history, index, demand, expected, this.observed[known]!.index));
    }
  }

  /** Reports the months that were back before month `at`, which is not: no shift came of them, so each was a spike or drop. */
  private reportPassingReturn(at: number): void {
    for (let i = this.back ?? at; i < at; i++) this.reportOutlier(i, at);
  }

  /** Whether the month is about where it would be without the last shift, of the other direction and of the year before. */
  private isBack(at: number, direction: Direction): boolean {
    const { former } = this;
    if (!former || !this.mayUndo(at, direction)) return false;
    const { observed, expected } = this.totalsOf(at, at, former.start);
    return observed < BACK_WITHIN * expected && observed > expected / BACK_WITHIN;
  }

  /** Whether the month goes on with others without demand, of which one was reported as a drop. */
  private isReportedSilence(at: number): boolean {
    return this.observed[at]!.value === 0 && this.hasReportedDrop(this.silentSince(at));
  }

  /** Whether a drop was reported in observed month `first` or later. */
  private hasReportedDrop(first: number): boolean {
    const since = this.history.startMonth + this.observed[first]!.index;
    return this.changes.some(({ kind, month }) => kind === 'drop' && month >= since);
  }

  /**
   * Whether the two months before went the same way, by half as far at least: the month is then no single one. Of goods that fade
   * away each month would be reported, against what they sold half a year before. That there is no demand left is reported all the same.
   */
  private continues(at: number, direction: Direction): boolean {
    if (this.observed[at]!.value === 0) return false;
    const state = this.states[at]!;
    const [earlier, before, now] = this.observed
      .slice(at - 2, at + 1)
      .map(({ index, value }) => direction * (value - this.predictor.expected(state, index)));
    return Math.min(earlier!, before!) >= NO_SINGLE * now!;
  }

  private addToCusum(state: PredictorState, { index, value }: ObservedMonth): Direction | undefined {
    const error = value - this.predictor.expected(state, index);
    return this.cusum.add(this.predictor.score(state, index, error) * this.predictor.serialCorrelationFactor(), index);
  }

  /** Reports a level shift where an alarm of the CUSUM stands the test of a step. */
  private judgeAlarm(alarm: Alarm): void {
    const { end, direction } = alarm;
    const { start: from, margin } = strongestShift(this.series, alarm);
    const start = firstMonthOfLevel(this.series, from, alarm);
    const totals = this.totalsOf(start, end);
    const size = direction * (totals.observed - totals.expected);
    if (
      !(margin > 0) ||
      !hasDemand(totals.observed, totals.expected) ||
      !isMaterial(size, totals.expected, this.options)
    )
      return;
    if (isOver(this.series, start, alarm)) return;
    this.restartAfter({ start, end, direction }, totals);
  }

  /** Reports two months in a row that are back at the level from before the last shift: no more of them are needed to be sure of it. */
  private judgeReturn(end: number): boolean {
    const { back: start, former } = this;
    if (start === undefined || start === end || !former) return false;
    const shift: ReportedShift = { start, end, direction: former.direction > 0 ? -1 : 1 };
    const totals = this.totalsOf(start, end);
    if (!this.isUndone(shift, totals)) return false;
    this.restartAfter(shift, totals);
    return true;
  }

  /** Whether the months up to `at` are about the level from before the last shift, and too few to distinguish it from another one. */
  private mayBeBack(at: number): boolean {
    return this.back !== undefined && at - this.back + 1 < MONTHS_TO_BE_BACK;
  }

  /** Reports a shift, where it is news, and goes on from its level. */
  private restartAfter(shift: ReportedShift, totals: ShiftTotals): void {
    const { start, end, direction } = shift;
    const { index } = this.observed[end]!;
    if (!this.hadEnded(start, totals)) {
      const undone = this.isUndone(shift, totals) ? this.observed[this.former!.start]!.index : undefined;
      const months = { start: this.observed[start]!.index, end: index, undone };
      if (!this.isOldNews(shift, totals)) this.changes.push(levelShift(this.history, months, totals));
      this.former = shift;
    }
    this.back = undefined;
    this.cusum.reported(direction, index);
    this.predictor.restartFrom(this.observed.slice(start, end + 1), this.states[start]!);
    this.earliest = end + 1;
  }

  /** First of the months without demand in a row before month `at`, or `at`. */
  private silentSince(at: number): number {
    let first = at;
    while (first > 0 && this.observed[first - 1]!.value === 0) first--;
    return first;
  }

  /** Whether a shift to no demand tells no more than the one before it: there was none since one of its months. */
  private hadEnded(start: number, { observed }: ShiftTotals): boolean {
    if (observed !== 0) return false;
    const first = this.silentSince(start);
    return first < start && first < this.earliest && this.former !== undefined;
  }

  /** Whether a shift to no demand comes long after that was reported as a drop. */
  private isOldNews({ start, end }: ReportedShift, { observed }: ShiftTotals): boolean {
    const first = this.silentSince(start);
    return observed === 0 && end - first >= SILENT && this.hasReportedDrop(first);
  }

  /**
   * Whether a shift takes demand back to where it would be without the last one, to within the smallest change worth reporting or
   * what chance explains.
   */
  private isUndone({ start, end, direction }: ReportedShift, { observed }: ShiftTotals): boolean {
    if (!this.former || !this.mayUndo(start, direction)) return false;
    const known = this.former.start;
    const { expected } = this.totalsOf(start, end, known);
    if (Math.abs(observed - expected) < this.options.minimumChange * expected) return true;
    const evidence = stepScore(this.predictor, this.states[known]!, this.observed.slice(start, end + 1));
    return Math.abs(evidence) * this.predictor.serialCorrelationFactor() < BY_CHANCE;
  }

  /** Whether the last shift was of the other direction, and at most a year before month `start`. */
  private mayUndo(start: number, direction: Direction): boolean {
    const { former } = this;
    if (!former || former.direction === direction) return false;
    return this.observed[start]!.index - this.observed[former.end]!.index <= SEASON;
  }

  /** Months from `start` to `end` against how the series would have gone on from what was known before month `known`. */
  private totalsOf(start: number, end: number, known = start): ShiftTotals {
    let total = 0;
    let expected = 0;
    for (let i = start; i <= end; i++) {
      const { index } = this.observed[i]!;
      total += this.history.values[index]!;
      expected += Math.max(fromRootScale(this.predictor.expected(this.states[known]!, index)), 0);
    }
    return { observed: total, expected, months: end - start + 1 };
  }
}

/** Returns where no demand was expected are no fall of it: reported month by month they would repeat the shift that led there. */
function hasDemand(observed: number, expected: number): boolean {
  return observed > 0 || expected > 0;
}
