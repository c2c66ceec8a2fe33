import { sumOf } from '../../../numeric/sum.js';
import type { Direction } from '../types.js';
import type { JudgedSeries } from './judged-series.js';

/**
 * Evidence that an alarm of m months must bring besides the CUSUM, in standard errors of a step: 3.02 + 2 / m at a decision limit
 * of 5, less at a lower one (2.92 at 4), more where demand grows or falls steadily and less where it has a season (standard errors
 * allow for a season that may not be as large). The CUSUM alone gives 2.6 % of unchanged series an alarm every year even with a
 * known level (its run length is 465 months). These numbers and the longest shift were chosen on simulated series of other seeds
 * than the benchmark's: at a limit of 5 for less than 2 % false alarms a series-year and more than .85 of shifts found in each
 * regular family, at 4 for half as many false alarms again.
 */
const EVIDENCE = 2.52;
/** For each unit of the decision limit. */
const EVIDENCE_OF_LIMIT = 0.1;
const EVIDENCE_OF_FEW_MONTHS = 2;
/** For each standard deviation of a month that demand grows or falls by in a year. */
const EVIDENCE_OF_GROWTH = 0.3;
/** For each effective parameter of season and growth. */
const EVIDENCE_OF_PARAMETERS = -0.018;
/**
 * Longest excursion that is searched for the start of a shift, in months: longer ones found no more of the shifts that half a
 * year makes clear and cost a quarter more false alarms.
 */
const MAX_SHIFT = 6;

/** Share of a shift beyond which a month lies nearer to the new level than to what was expected. */
const NEARER = 0.5;

/** An alarm of the CUSUM at observed month `end`. */
export interface Alarm {
  /** First observed month that a shift may start in. */
  readonly earliest: number;
  readonly end: number;
  readonly direction: Direction;
  /** Decision limit of the CUSUM that raised it. */
  readonly limit: number;
}

/** The months up to an alarm that show a step most clearly; `margin` is their evidence beyond what is required, above 0 if it is enough. */
export function strongestShift(
  series: JudgedSeries,
  { earliest, end, direction, limit }: Alarm,
): { readonly start: number; readonly margin: number } {
  const { growth, parameters } = series.predictor.shape();
  const ofSeries = EVIDENCE_OF_GROWTH * Math.abs(growth) + EVIDENCE_OF_PARAMETERS * parameters;
  const required = EVIDENCE + EVIDENCE_OF_LIMIT * limit + ofSeries;
  let best = { start: end, margin: -Infinity };
  for (let start = end; start >= earliest && end - start < MAX_SHIFT; start--) {
    const evidence = direction * series.evidenceOfStep(start, end);
    const margin = evidence - required - EVIDENCE_OF_FEW_MONTHS / (end - start + 1);
    if (margin > best.margin) best = { start, margin };
  }
  return best;
}

/**
 * First month of the new level among observed months `start` to the alarm's: earlier ones lie nearer to what was expected than to
 * the mean of the months after them. A single month is no level.
 */
export function firstMonthOfLevel(series: JudgedSeries, start: number, { end, direction }: Alarm): number {
  const errors = series.errors(start, end).map((error) => direction * error);
  let rest = sumOf(errors);
  let first = start;
  for (; first < end - 1; first++) {
    const error = errors[first - start]!;
    rest -= error;
    if (error >= NEARER * (rest / (end - first))) break;
  }
  return first;
}

/**
 * Whether the alarm's month lies nearer to what was expected than to the mean of the months before it, from observed month `start`
 * on: two sold-out months and the one in which the goods are back are no new level.
 */
export function isOver(series: JudgedSeries, start: number, { end, direction }: Alarm): boolean {
  const errors = series.errors(start, end).map((error) => direction * error);
  const last = errors.length - 1;
  return errors[last]! < NEARER * (sumOf(errors, 0, last) / last);
}
