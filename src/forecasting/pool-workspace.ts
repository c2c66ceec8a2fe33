import { adjustCalendar } from './calendar-regression/adjustment.js';
import { estimatePrior } from './calendar-regression/prior.js';
import { sharedEffects } from './calendar-regression/shared-effects.js';
import type { CalendarPrior } from './calendar-regression/calendar-prior.js';
import { classifyDemand, SHORT_BELOW } from './routing/classify.js';
import { poolInfrequency } from './routing/infrequency.js';
import { findRestart } from './routing/restart.js';
import { poolShapes, type ShapeDonor } from './routing/short-histories/seasonal-shapes.js';
import { learnShortSpreads } from './routing/short-histories/short-spreads.js';
import { averageForecasts } from './combination/average.js';
import { learnCalibration, type CalibrationCase } from './combination/calibration.js';
import { forecastMembers } from './combination/members.js';
import { learnGains, type LearningCase } from './combination/learn-gains.js';
import { fitPooledAutoregression, type PooledAutoregression } from './combination/pooled-autoregression.js';
import { steadyGrowth } from './combination/steady-growth.js';
import { LEARNING_FROM, PRIOR_WEIGHTS, weightsFor } from './combination/weights.js';
import { cutEnd, isComputable, systematicSample, trimStart, withoutReturns } from './history.js';
import { fitIntermittent } from './intermittent/fit-intermittent.js';
import { countObserved } from './missing.js';
import type { OriginPool, PooledModel } from './pooled-model.js';
import { errorScale } from './evaluation/naive-scale.js';
import { applyOutlierPolicy } from './outliers/dampen-outliers.js';
import { checkSettings, windowMonths } from './settings.js';
import { SEASON, type DemandHistory, type EngineSettings } from './types.js';

/** Series that the calendar prior and the autoregression are estimated from: ample for their numbers, and a bound on the cost of a run. */
const CALENDAR_SAMPLE = 600;
/** Series that weights and calibration are learned from in each window. More windows are worth more than more series in each. */
const LEARNING_SAMPLE = 150;
/** Observed months from which a series lends its seasonal shape: two of each calendar month. */
const DONOR_MONTHS = 2 * SEASON;
/** Series that the intermittent models are learned from; up to seven rows each. */
const INTERMITTENT_SAMPLE = 3000;

/**
 * Windows that weights and calibration are learned from: one window alone is one shock, common to all its series (one of the
 * m3 origins is a recession). Six of 150 series beat two, three and four of 300 on the training origins of m3, hospital,
 * tourism and M1.
 */
const LEARNING_WINDOWS = 6;

/** A history as it was known at one origin. */
interface KnownHistory extends DemandHistory {
  /** The months since, NaN where missing. */
  readonly since: Float64Array;
}

/** A workspace as it was known at one origin, by which model serves a series. */
interface OriginData {
  /** All series with an observation. */
  readonly known: readonly DemandHistory[];
  /** Series of the combination. */
  readonly regular: readonly KnownHistory[];
  /** Series of the count model. */
  readonly counted: readonly DemandHistory[];
  readonly calendar: CalendarPrior;
  readonly autoregression: PooledAutoregression | null;
}

/** What the members forecast for one series at an earlier origin. */
interface MemberForecasts extends Omit<LearningCase, 'actual'> {
  /** See {@link KnownHistory.since}. */
  readonly since: Float64Array;
}

/**
 * Learns what the series of a workspace have in common, at the final origin and at each backtest origin. Only months before
 * an origin are used for it, so a backtest is honest: weights and calibration of an origin come from forecasts made one
 * to six windows before it. An origin is counted from the end of each history: where one ends earlier than others, what is
 * pooled for its backtest holds months of those after its origins. Deterministic; the cost is bounded by fixed samples, spread
 * evenly over the order given (callers pass a stable order). Throws RangeError on settings out of range, never on data.
 */
export function poolWorkspace(histories: readonly DemandHistory[], settings: EngineSettings): PooledModel {
  checkSettings(settings);
  const usable = histories
    .filter((history) => isComputable(history.values))
    .map((history) => withoutReturns(trimStart(history)));
  const step = windowMonths(settings);
  const origins = settings.backtestWindows + 1;
  const data = Array.from({ length: origins + LEARNING_WINDOWS }, (_, w) =>
    originData(usable, w * step, settings.horizon),
  );
  const forecasts = data.map((origin, w) => (w === 0 ? [] : learningForecasts(origin, settings)));
  return {
    origins: data.slice(0, origins).map((origin, w) => {
      const earlier = forecasts.slice(w + 1, w + 1 + LEARNING_WINDOWS);
      const windows = earlier.map((made) => learningCases(made, w * step, settings.horizon));
      return poolOrigin(origin, windows, settings);
    }),
  };
}

function originData(histories: readonly DemandHistory[], cut: number, horizon: number): OriginData {
  const all: DemandHistory[] = [];
  const regular: KnownHistory[] = [];
  const counted: DemandHistory[] = [];
  for (const history of histories) {
    const past = cutEnd(history, cut);
    const known = { ...past, since: history.values.subarray(past.values.length) };
    const profile = classifyDemand(known.values);
    if (profile.observed === 0) continue;
    all.push(known);
    if (profile.countShare > 0) counted.push(known);
    if (profile.countShare < 1) regular.push(known);
  }
  const sample = systematicSample(regular, CALENDAR_SAMPLE);
  const calendar = estimatePrior(sample);
  const autoregression = fitPooledAutoregression(sample, calendar, horizon);
  return { known: all, regular, counted, calendar, autoregression };
}

function poolOrigin(
  now: OriginData,
  windows: readonly (readonly LearningCase[])[],
  settings: EngineSettings,
): OriginPool {
  const gains = learnGains(windows.flat());
  const combined: CalibrationCase[] = [];
  windows.forEach((cases, window) => {
    for (const { members, months, steadiness, actual } of cases) {
      const forecast = averageForecasts(members, weightsFor(months, gains, steadiness));
      combined.push({ window, months, actual, forecast });
    }
  });
  const donors = shapeDonors(now);
  const pooled = poolShapes(donors);
  const isAnyShort = now.known.some(
    (history) => countObserved((findRestart(history)?.since ?? history).values) < SHORT_BELOW,
  );
  return {
    calendar: now.calendar,
    autoregression: now.autoregression,
    gains,
    calibration: learnCalibration(combined, settings.horizon),
    calibrationMonths: settings.horizon,
    intermittent: fitIntermittent(systematicSample(now.counted, INTERMITTENT_SAMPLE)),
    shapes: pooled.shapes,
    ...(isAnyShort && { shortSpreads: learnShortSpreads(donors, pooled, now.calendar, settings.seed) }),
    infrequency: poolInfrequency(now.known),
  };
}

/** What the members forecast at an origin, over the whole horizon, for a sample of the series that the combination serves. */
function learningForecasts(
  { regular, calendar, autoregression }: OriginData,
  settings: EngineSettings,
): MemberForecasts[] {
  const { horizon, seed, outliers } = settings;
  const eligible = regular.filter(({ values }) => countObserved(values) >= LEARNING_FROM);
  const made: MemberForecasts[] = [];
  for (const { startMonth, values: recorded, since } of systematicSample(eligible, LEARNING_SAMPLE)) {
    const scale = errorScale(recorded);
    if (!(scale > 0)) continue;
    const values = applyOutlierPolicy(outliers, recorded, startMonth, calendar);
    const members = forecastMembers(
      { values, startMonth, prior: calendar, autoregression, horizon, seed },
      PRIOR_WEIGHTS,
    );
    made.push({ months: countObserved(recorded), since, scale, steadiness: steadyGrowth(values), members });
  }
  return made;
}

/** The forecasts of {@link learningForecasts} beside what was observed up to `cut` months before the end of each history. */
function learningCases(made: readonly MemberForecasts[], cut: number, horizon: number): LearningCase[] {
  return made.map(({ since, ...one }) => ({
    ...one,
    actual: since.subarray(0, Math.min(horizon, since.length - cut)),
  }));
}

function shapeDonors(now: OriginData): ShapeDonor[] {
  const eligible = now.regular.filter((history) => countObserved(history.values) >= DONOR_MONTHS);
  const donors: ShapeDonor[] = [];
  for (const history of systematicSample(eligible, CALENDAR_SAMPLE)) {
    const { category, startMonth } = history;
    const { seasonal, logarithmic } = adjustCalendar(history.values, startMonth, now.calendar);
    const values = sharedEffects(history, now.calendar).without(history.values);
    if (logarithmic) donors.push({ category, seasonal, values, startMonth });
  }
  return donors;
}
