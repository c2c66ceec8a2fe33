import { adjustCalendar } from './calendar-regression/adjustment.js';
import { estimatePrior } from './calendar-regression/prior.js';
import type { CalendarPrior } from './calendar-regression/posterior.js';
import { whiten, type WhitenedSeries } from './calendar-regression/whitening.js';
import { poolShapes, type ShapeDonor } from './category-shape.js';
import { classifyDemand } from './classify.js';
import { averageForecasts } from './combination/average.js';
import { learnCalibration, NO_CALIBRATION } from './combination/calibration.js';
import { forecastMembers } from './combination/members.js';
import { learnWeights, type LearningCase } from './combination/weights.js';
import { cutEnd, evenSample, hasOnlyFinite, trimStart } from './history.js';
import { fitIntermittent } from './intermittent/model.js';
import type { OriginPool, PooledModel } from './pooled-model.js';
import { COMBINATION_FROM } from './routed-forecast.js';
import { naiveScale } from './scale.js';
import { checkSettings, windowMonths } from './settings.js';
import type { DemandHistory, EngineSettings } from './types.js';

/** Series that the calendar prior is estimated from; more change it by less than its own uncertainty (FINDINGS B6). */
const CALENDAR_SAMPLE = 600;
/** Series that weights and calibration are learnt from: a few thousand forecast months pin down five weights. */
const LEARNING_SAMPLE = 300;
/** Series that the intermittent regression is fitted to; up to six rows each. */
const INTERMITTENT_SAMPLE = 3000;

/** A workspace as it was known at one origin. */
interface OriginData {
  readonly regular: readonly DemandHistory[];
  readonly counted: readonly DemandHistory[];
  readonly calendar: CalendarPrior;
}

/**
 * Learns what the series of a workspace have in common, at the final origin and at each backtest origin. Only months before
 * an origin are used for it, so a backtest is honest: weights and calibration of origin w come from forecasts made one
 * window earlier still. Deterministic; the cost is bounded by fixed samples, spread evenly over the order given (callers
 * pass a stable order). Throws RangeError on settings out of range, never on data.
 */
export function poolWorkspace(histories: readonly DemandHistory[], settings: EngineSettings): PooledModel {
  checkSettings(settings);
  const usable = histories.filter((history) => hasOnlyFinite(history.values)).map(trimStart);
  const step = windowMonths(settings);
  const data = Array.from({ length: settings.backtestWindows + 2 }, (_, w) => originData(usable, w * step));
  return {
    version: 1,
    origins: data.slice(0, -1).map((now, w) => poolOrigin(now, data[w + 1]!, usable, w * step, settings)),
  };
}

function originData(histories: readonly DemandHistory[], cut: number): OriginData {
  const regular: DemandHistory[] = [];
  const counted: DemandHistory[] = [];
  for (const history of histories) {
    const known = cutEnd(history, cut);
    const profile = classifyDemand(known.values);
    if (profile.observed === 0) continue;
    (profile.countLike ? counted : regular).push(known);
  }
  const whitened = evenSample(regular, CALENDAR_SAMPLE)
    .map((history) => whiten(history.values, history.startMonth))
    .filter((series): series is WhitenedSeries => series !== null);
  return { regular, counted, calendar: estimatePrior(whitened) };
}

function poolOrigin(
  now: OriginData,
  before: OriginData,
  histories: readonly DemandHistory[],
  cut: number,
  settings: EngineSettings,
): OriginPool {
  const steps = windowMonths(settings);
  const cases = learningCases(before, histories, cut, steps, settings.seed);
  const weights = learnWeights(cases);
  const calibration =
    cases.length === 0
      ? NO_CALIBRATION
      : learnCalibration(
          cases.map((one) => ({ forecast: averageForecasts(one.members, weights)!, actual: one.actual })),
          steps,
        );
  return {
    calendar: now.calendar,
    weights,
    calibration,
    calibrationSteps: steps,
    intermittent: fitIntermittent(evenSample(now.counted, INTERMITTENT_SAMPLE).map((history) => history.values)),
    shapes: poolShapes(shapeDonors(now)),
  };
}

/** Members' forecasts made one window before an origin, with what then happened until that origin. */
function learningCases(
  before: OriginData,
  histories: readonly DemandHistory[],
  cut: number,
  steps: number,
  seed: number,
): LearningCase[] {
  const full = new Map(histories.map((history) => [history.id, history]));
  const eligible = before.regular.filter((history) => classifyDemand(history.values).observed >= COMBINATION_FROM);
  const cases: LearningCase[] = [];
  for (const known of evenSample(eligible, LEARNING_SAMPLE)) {
    const scale = naiveScale(known.values).absolute;
    if (!(scale > 0)) continue;
    const later = cutEnd(full.get(known.id)!, cut).values;
    const members = forecastMembers({
      values: known.values,
      startMonth: known.startMonth,
      prior: before.calendar,
      horizon: steps,
      seed,
    });
    cases.push({ members, actual: later.subarray(known.values.length), scale });
  }
  return cases;
}

function shapeDonors(now: OriginData): ShapeDonor[] {
  const eligible = now.regular.filter((history) => classifyDemand(history.values).observed >= COMBINATION_FROM);
  const donors: ShapeDonor[] = [];
  for (const history of evenSample(eligible, CALENDAR_SAMPLE)) {
    const { seasonal, adjusted, logarithmic } = adjustCalendar(history.values, history.startMonth, now.calendar);
    if (logarithmic) donors.push({ category: history.category, seasonal, adjusted });
  }
  return donors;
}
