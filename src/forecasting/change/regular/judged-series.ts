import type { DemandHistory } from '../../types.js';
import { WARM_UP } from '../detection-limits.js';
import type { ShiftTotals } from '../messages.js';
import type { OneStepPredictor } from './one-step-predictor.js';
import { PredictorSelection } from './predictor-selection.js';
import { expectedValue, type ObservedMonth, type Prediction } from './predictor-state.js';
import { fromRootScale } from './root-scale.js';
import { growthFactor } from './constant-growth.js';
import { stepScore } from './step-test.js';

/**
 * A history as far as it has been judged, by its observed months (0, 1, ...), with what was known before each of them. Several months
 * are compared with how the series would have gone on from what was known before month `known`, by default the first of them.
 */
export class JudgedSeries {
  private readonly selection: PredictorSelection;

  /** @param observed its observed months, more than the warm-up has */
  constructor(
    readonly history: DemandHistory,
    readonly observed: readonly ObservedMonth[],
  ) {
    this.selection = new PredictorSelection(history.startMonth, observed.slice(0, WARM_UP));
  }

  get predictor(): OneStepPredictor {
    return this.selection.predictor;
  }

  /** What is expected of month `at`, the first that has not been learned. */
  predict(at: number): Prediction {
    const { index } = this.observed[at]!;
    return this.selection.predict(at, index, this.observed[at - 1]!.index === index - 1);
  }

  /** Learns month `at`, which was predicted last. */
  learn(at: number): void {
    this.selection.learn(this.observed[at]!);
  }

  /** Goes on from the level of months `start` to `end`. */
  restartFrom(start: number, end: number): void {
    this.selection.restartFrom(this.observed.slice(start, end + 1), start);
  }

  /** Their demand, and what was expected of it, 0 a month at least. */
  totals(start: number, end: number, known = start): ShiftTotals {
    const totals = { observed: 0, expected: 0, months: end - start + 1 };
    for (const { index } of this.observed.slice(start, end + 1)) {
      totals.observed += this.history.values[index]!;
      totals.expected += Math.max(fromRootScale(this.expected(index, known)), 0);
    }
    return totals;
  }

  /** By month, how far it lies from what was expected, on the root scale. */
  errors(start: number, end: number, known = start): number[] {
    return this.observed.slice(start, end + 1).map(({ index, value }) => value - this.expected(index, known));
  }

  /** How clearly the months lie on another level, in standard errors; positive upwards. */
  evidenceOfStep(start: number, end: number, known = start): number {
    const score = stepScore(this.selection.stateBefore(known), this.observed.slice(start, end + 1));
    return this.predictor.scale.serialCorrelationFactor() * score;
  }

  /** Expected value of the month of `index` in the history, as it was known before observed month `known`. */
  private expected(index: number, known: number): number {
    const state = this.selection.stateBefore(known);
    return growthFactor(state.growth, index) * expectedValue(state, state.coefficients, index);
  }
}
