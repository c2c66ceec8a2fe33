import { type CentralMeasure, centralMeasure, centralValue } from '../description/central-measure.js';
import { forecastSeries } from '../forecast-series.js';
import { splitByState } from './split-by-state.js';
import type { PooledModel } from '../pooled-model.js';
import {
  type DemandHistory,
  type EngineSettings,
  MODEL_NAMES,
  type MonthNumber,
  type SeriesForecast,
} from '../types.js';

/** Forecasts are kept to seven significant digits: a million pieces to half a one. */
const PUBLISHED_PRECISION = 1e-6;

/** One run of a series, as it was: what went in and what came out. */
export interface ExplainedRun {
  /** The history that the run used, ending with its last training month. */
  readonly history: DemandHistory;
  /** What the run learned over its workspace. */
  readonly pooled: PooledModel;
  readonly settings: EngineSettings;
  /** The forecast as published. */
  readonly forecast: SeriesForecast;
  /** Newest month of the run's data, of all its series; absent when unknown. */
  readonly newestMonth?: MonthNumber | undefined;
}

/** Parts of the change of one month's forecast, in the unit of the series; they sum to `total`. */
export interface ChangeParts {
  readonly dataRevision: number;
  readonly newActualsLevel: number;
  readonly newActualsTrend: number;
  readonly newActualsSeason: number;
  readonly reestimation: number;
  readonly modelChange: number;
  /** 0 as {@link explainChange} finds it: the engine knows no overrides, and who does puts them in. */
  readonly overrides: number;
}

/** One forecast month of both runs, after overrides, with the parts of its change. */
export interface ExplainedMonth extends ChangeParts {
  readonly month: MonthNumber;
  readonly prior: number;
  readonly current: number;
  readonly total: number;
}

/** How the forecast of one series changed between two runs. */
export interface ExplainedChange {
  /** What of each forecast month the numbers are; chosen for the two runs and the steps between them together. */
  readonly measure: CentralMeasure;
  readonly months: readonly ExplainedMonth[];
  /** Medians of the published forecasts, month by month: what overrides act on, whatever the measure. */
  readonly medians: readonly { readonly prior: number; readonly current: number }[];
}

/**
 * Explains the change of a series' forecast between two runs by replaying the engine, for the months that both forecast: the change
 * of the median, or of the mean where the medians of one of the runs, or of a step between them, hide what the months add up to: they
 * would fall to nothing in one step and come back in the next. Each step changes one thing, and its difference from the step before is
 * its part, so the parts sum to the change (to 1e-9 of the larger forecast):
 *
 * 0. The prior run again on its own history. It need not reproduce what was published: the series may have another category since, or
 *    the engine another version. The gap counts as *model change*, here and after step 3; between a run and itself the two cancel.
 * 1. *data revision*: the prior run on the history as the current run has it, cut where the prior one ended. Months newer than the data
 *    of the current run stay as they were. Frozen: the prior run's pooled model (calendar prior, combination weights, calibration,
 *    intermittent models, borrowed shapes), settings and choice of model, and the network, whose weights never change between runs.
 * 2. *new actuals*: with the months since, or without those that only the prior run knew; the pooled model is still that of the prior
 *    run. What a member fits to a single series (smoothing parameters, theta, the seasonal posterior) is fitted again: with a network and
 *    averages over methods between them and the forecast, states and parameters cannot be held apart. The difference is split by state
 *    into a proportional change of the whole path (level), one that grows along it (trend) and the rest (season).
 * 3. *re-estimation*: the current run's pooled model in place of the prior one.
 * 4. *model change*: the current run's settings and choice of model: the current forecast as published.
 *
 * A step that the engine skips (too short a history, say) leaves the forecast as it was. Pure; costs four forecasts at most,
 * without backtest.
 */
export function explainChange(prior: ExplainedRun, current: ExplainedRun): ExplainedChange {
  const months = commonMonths(prior.forecast, current.forecast);
  const steps = replaySteps(prior, current, months);
  const compared = [prior.forecast, current.forecast, ...Object.values(steps)];
  const measure = compared.some((forecast) => centralMeasure(forecast) === 'mean') ? 'mean' : 'median';
  const medianAt = ({ forecast }: ExplainedRun, month: MonthNumber): number =>
    centralValue(forecast, month - forecast.firstMonth, 'median');
  return {
    measure,
    months: explainMonths(prior, current, steps, months, measure),
    medians: months.map((month) => ({ prior: medianAt(prior, month), current: medianAt(current, month) })),
  };
}

/** The forecasts between those of the two runs, one a step. */
type ReplayedSteps = Readonly<Record<'replayed' | 'revised' | 'extended' | 'reestimated', SeriesForecast>>;

function replaySteps(prior: ExplainedRun, current: ExplainedRun, months: readonly MonthNumber[]): ReplayedSteps {
  const held = heldSettings(prior);
  const last = months.at(-1);
  const replay = (history: DemandHistory, pooled: PooledModel): SeriesForecast | undefined => {
    if (last === undefined) return undefined;
    // as far as the months go: a history that ends earlier than the prior run's needs a longer horizon than that run had
    const horizon = last - lastMonth(history);
    const result = forecastSeries(history, pooled, { ...held, horizon });
    return result.kind === 'forecast' ? result : undefined;
  };
  const replayed = replay(prior.history, prior.pooled) ?? prior.forecast;
  const revisedHistory = revisedBy(current, prior.history);
  const revised = isSame(revisedHistory, prior.history) ? replayed : (replay(revisedHistory, prior.pooled) ?? replayed);
  const extended = isSame(current.history, revisedHistory)
    ? revised
    : (replay(current.history, prior.pooled) ?? revised);
  return { replayed, revised, extended, reestimated: replay(current.history, current.pooled) ?? extended };
}

function explainMonths(
  prior: ExplainedRun,
  current: ExplainedRun,
  steps: ReplayedSteps,
  months: readonly MonthNumber[],
  measure: CentralMeasure,
): ExplainedMonth[] {
  const valuesOf = (forecast: SeriesForecast): Float64Array =>
    Float64Array.from(months, (month) => centralValue(forecast, month - forecast.firstMonth, measure));
  const published = valuesOf(prior.forecast);
  const now = valuesOf(current.forecast);
  const replayed = asPublished(valuesOf(steps.replayed), published);
  const revised = steps.revised === steps.replayed ? replayed : valuesOf(steps.revised);
  const extended = steps.extended === steps.revised ? revised : valuesOf(steps.extended);
  const reestimated = asPublished(valuesOf(steps.reestimated), now);
  const states = splitByState(revised, extended);
  return months.map((month, k) => {
    const [before, after] = [published[k]!, now[k]!];
    return {
      month,
      prior: before,
      current: after,
      total: after - before,
      dataRevision: revised[k]! - replayed[k]!,
      newActualsLevel: states.level[k]!,
      newActualsTrend: states.trend[k]!,
      newActualsSeason: states.season[k]!,
      reestimation: reestimated[k]! - extended[k]!,
      modelChange: after - reestimated[k]! + (replayed[k]! - before),
      overrides: 0,
    };
  });
}

/** The run's settings with its choice of model made: a replay must not choose again, and needs no backtest to do so. */
function heldSettings(run: ExplainedRun): EngineSettings {
  const used = MODEL_NAMES.find((name) => name === run.forecast.model);
  return { ...run.settings, models: [used ?? 'auto'], backtestWindows: 0 };
}

function commonMonths(a: SeriesForecast, b: SeriesForecast): MonthNumber[] {
  const first = Math.max(a.firstMonth, b.firstMonth);
  const end = Math.min(a.firstMonth + a.mean.length, b.firstMonth + b.mean.length);
  return Array.from({ length: Math.max(end - first, 0) }, (_, k) => first + k);
}

/** The replayed values, where they differ from the published ones in digits that are not kept those. */
function asPublished(replayed: Float64Array, published: Float64Array): Float64Array {
  return replayed.map((value, k) => {
    const kept = published[k]!;
    return Math.abs(value - kept) <= PUBLISHED_PRECISION * kept ? kept : value;
  });
}

/** Whether two histories hold the same months; missing ones are equal. */
function isSame(a: DemandHistory, b: DemandHistory): boolean {
  return (
    a.startMonth === b.startMonth &&
    a.category === b.category &&
    a.values.length === b.values.length &&
    a.values.every((value, t) => Object.is(value, b.values[t]))
  );
}

function lastMonth(history: DemandHistory): MonthNumber {
  return history.startMonth + history.values.length - 1;
}

/** The prior run's history as the current run has it, with the months that came too late for the current run as the prior one had them. */
function revisedBy({ history, newestMonth = Infinity }: ExplainedRun, prior: DemandHistory): DemandHistory {
  const last = lastMonth(prior);
  const revised = cutAfter(history, last);
  if (newestMonth >= last) return revised;
  const values = new Float64Array(last - history.startMonth + 1).fill(NaN);
  values.set(revised.values);
  for (let month = Math.max(newestMonth + 1, prior.startMonth); month <= last; month++) {
    values[month - history.startMonth] = prior.values[month - prior.startMonth]!;
  }
  return { ...history, values };
}

function cutAfter(history: DemandHistory, month: MonthNumber): DemandHistory {
  const length = Math.max(month - history.startMonth + 1, 0);
  return { ...history, values: history.values.slice(0, length) };
}
