import type { DemandHistory } from '../../types.js';
import { ALLOWANCE, LARGEST_SCORE } from './cusum.js';
import { PredictorState, OneStepPredictor, ObservedMonth, WARM_UP } from './one-step-predictor.js';
import { levelShift, ShiftTotals, spikeOrDrop } from '../messages.js';
import { TwoSidedCusum } from './two-sided-cusum.js';
import { stepScore } from './step-test.js';
import { ChangeOptions, DemandChange } from '../types.js';
import { isMaterial } from '../materiality.js';

/**
 * Scores beyond this are spikes or drops. Three sigmas alone would give 3.2 % of unchanged series a finding every year (3.8:
 * .2 %), and level shifts are to stay under 2 % with them.
 */
export const SPIKE_SCORE = 3.8;
/**
 * Evidence that an alarm of m months must bring besides, in standard errors of a step: 3.08 + 2 / m at a decision limit of 5,
 * less at a lower one (3.02 at 4), more where demand grows or falls steadily and less where it has a season (standard errors
 * allow for a season that may not be as large). The CUSUM alone gives 2.6 % of unchanged series an alarm every year even with a
 * known level (its run length is 465 months). These numbers and the longest shift were chosen on simulated series of other seeds
 * than the benchmark's, for 2 % false alarms a series-year.
 */
const EVIDENCE = 2.78;
/** For each unit of the decision limit. */
const EVIDENCE_OF_LIMIT = 0.06;
const EVIDENCE_OF_FEW_MONTHS = 2;
/** For each standard deviation of a month that demand grows or falls by in a year. */
const EVIDENCE_OF_GROWTH = 0.3;
/** For each term of season and growth that the series itself decides. */
const EVIDENCE_OF_TERMS = -0.018;
/**
 * Longest excursion that is searched for the start of a shift, in months: longer ones found no more of the shifts that half a
 * year makes clear and cost a quarter more false alarms.
 */
const LONGEST_SHIFT = 6;

/** Demand on the scale of the tracker: counts get constant variance, a season that grows with the level nearly a constant one. */
function toScale(demand: number): number {
  return Math.sign(demand) * Math.sqrt(Math.abs(demand));
}

function fromScale(value: number): number {
  return Math.sign(value) * value * value;
}

/** Spikes, drops and level shifts of regular demand; needs 24 observed months before the first finding. */
export function regularChanges(history: DemandHistory, options: ChangeOptions, unitFloor: number): DemandChange[] {
  const { values } = history;
  const observed: ObservedMonth[] = [];
  values.forEach((value, index) => {
    if (Number.isFinite(value)) observed.push({ index, value: toScale(value) });
  });
  if (observed.length <= WARM_UP) return [];

  const tracker = new OneStepPredictor(history.startMonth, observed.slice(0, WARM_UP));
  const chart = new TwoSidedCusum(options.decisionLimit, options.coolDown);
  const changes: DemandChange[] = [];
  /** What was known before each observed month, to measure a shift against what its first month should have been. */
  const states: PredictorState[] = [];
  /** First observed month of which the present level was not yet told: no shift starts earlier. */
  let earliest = WARM_UP;

  for (let at = WARM_UP; at < observed.length; at++) {
    const { index, value } = observed[at]!;
    if (observed[at - 1]!.index < index - 1) tracker.skip();
    const state = tracker.state();
    states[at] = state;
    const prediction = tracker.expected(state, index);
    if (Math.abs(cautiousScore(state, index, value, prediction)) > SPIKE_SCORE) {
      const expected = Math.max(fromScale(prediction), 0);
      const demand = values[index]!;
      if (isDemand(demand, expected) && isMaterial(Math.abs(demand - expected), expected, options, unitFloor))
        changes.push(spikeOrDrop(history, index, demand, expected));
    }
    const score = tracker.score(state, index, value - prediction) * tracker.independence();
    const bounded = Math.max(-LARGEST_SCORE, Math.min(LARGEST_SCORE, score));
    const direction = chart.add(bounded - ALLOWANCE, -bounded - ALLOWANCE, index);
    tracker.update(state, index, value);
    if (!direction) continue;
    const { start: from, margin } = strongestShift(at, direction);
    const start = firstMonthOf(from, at, direction);
    const totals = totalsOf(start, at);
    const size = direction * (totals.observed - totals.expected);
    if (
      margin > 0 &&
      isDemand(totals.observed, totals.expected) &&
      isMaterial(size, totals.expected, options, unitFloor)
    ) {
      changes.push(levelShift(history, observed[start]!.index, index, totals));
      chart.told(direction, index);
      tracker.moveTo(observed.slice(start, at + 1));
      earliest = at + 1;
    }
  }
  return changes;

  /**
   * Score of a single month taken by itself: rises are measured on a logarithmic scale and falls on that of demand itself, both
   * with the root scale's sigma carried over. The tail of right-skewed demand is then no spike, and low months of symmetric
   * demand are no drops; in sums of several months such tails even out.
   */
  function cautiousScore(state: PredictorState, index: number, value: number, expected: number): number {
    if (!(expected > 0)) return tracker.score(state, index, value - expected);
    const error = value > expected ? expected * Math.log(value / expected) : differenceInRoots(value, expected);
    return tracker.score(state, index, error);
  }

  /** The months up to `end` that speak most clearly for a shift. */
  function strongestShift(end: number, direction: 1 | -1): { start: number; margin: number } {
    let best = { start: end, margin: -Infinity };
    const independence = tracker.independence();
    const { growth, terms } = tracker.shape();
    const ofSeries = EVIDENCE_OF_GROWTH * Math.abs(growth) + EVIDENCE_OF_TERMS * terms;
    const needed = EVIDENCE + EVIDENCE_OF_LIMIT * options.decisionLimit + ofSeries;
    for (let start = end; start >= earliest && end - start < LONGEST_SHIFT; start--) {
      const months = observed.slice(start, end + 1);
      const evidence = direction * independence * stepScore(tracker, states[start]!, months);
      const margin = evidence - needed - EVIDENCE_OF_FEW_MONTHS / months.length;
      if (margin > best.margin) best = { start, margin };
    }
    return best;
  }

  /**
   * First month of the new level among `start` to `end`: earlier ones lie nearer to what was expected than to the months after
   * them. A single month is no level.
   */
  function firstMonthOf(start: number, end: number, direction: 1 | -1): number {
    const errors = observed
      .slice(start, end + 1)
      .map(({ index, value }) => direction * (value - tracker.expected(states[start]!, index)));
    let rest = errors.reduce((sum, error) => sum + error, 0);
    let first = start;
    for (; first < end - 1; first++) {
      const error = errors[first - start]!;
      rest -= error;
      if (error >= 0.5 * (rest / (end - first))) break;
    }
    return first;
  }

  /** Months from `start` to `end` against how the series would have gone on from what was known before them. */
  function totalsOf(start: number, end: number): ShiftTotals {
    let total = 0;
    let expected = 0;
    for (let i = start; i <= end; i++) {
      const { index } = observed[i]!;
      total += values[index]!;
      expected += Math.max(fromScale(tracker.expected(states[start]!, index)), 0);
    }
    return { observed: total, expected, months: end - start + 1 };
  }
}

/** Returns where no demand was expected are no fall of it: told month by month they would repeat the shift that led there. */
function isDemand(observed: number, expected: number): boolean {
  return observed > 0 || expected > 0;
}

/** Difference of demand in root units: (x - expected) / (2 root expected), x and expected being squares (x may be negative). */
function differenceInRoots(value: number, expected: number): number {
  return (value * Math.abs(value) - expected * expected) / (2 * expected);
}
