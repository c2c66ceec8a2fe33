import { backtest } from './evaluation/backtest.js';
import { rankByBacktest, windowsOfOthersChoice } from './evaluation/method-choice.js';
import { classifyDemand } from './routing/classify.js';
import { isComputable, trimStart, withoutReturns } from './history.js';
import { type ClassicalName, METHODS } from './methods/registry.js';
import { makeFiniteAndOrdered, runForecaster } from './methods/forecaster.js';
import { meanLowerBound } from './quantiles/mean-bounds.js';
import { divideForecast } from './methods/rescale.js';
import { binaryScale, countObserved, lastObserved, meanAbsolute } from './missing.js';
import { applyOutlierPolicy } from './outliers/dampen-outliers.js';
import type { PooledModel } from './pooled-model.js';
import { sinceRestart } from './routing/restart.js';
import type { ForecastTask } from './routing/route.js';
import { routedForecast } from './routing/routed-forecast.js';
import {
  type DemandHistory,
  type EngineSettings,
  type ModelName,
  type OutlierPolicy,
  type QuantileForecast,
  type SeriesResult,
  type SkippedSeries,
  type SkipReason,
} from './types.js';
import { MAX_HORIZON } from './settings.js';
import { inMonths } from './wording.js';

const TOO_LARGE = 'The history contains a value that is too large to compute with.';

/**
 * Forecasts one series with what was pooled over its workspace. Never throws on data: a series that cannot be forecast comes
 * back with the reason. Quantiles are finite, ascending and not negative. Throws RangeError when `pooled` was learned for fewer
 * backtest windows than the settings ask for.
 */
export function forecastSeries(history: DemandHistory, pooled: PooledModel, settings: EngineSettings): SeriesResult {
  if (pooled.origins.length <= settings.backtestWindows) {
    throw new RangeError(
      `pooled: learned for ${pooled.origins.length - 1} backtest windows, not ${settings.backtestWindows}`,
    );
  }
  if (!isComputable(history.values)) return skip(history, 'not_finite', TOO_LARGE);
  const trimmed = withoutReturns(trimStart(history));
  const refusal = refuse(trimmed, settings);
  if (refusal) return refusal;
  const { seed, outliers } = settings;
  const candidates = settings.models.map((model) => ({
    model,
    windows: backtest(
      trimmed,
      settings,
      (known, origin, horizon) =>
        forecastBy(model, known, { pool: pooled.origins[origin]!, horizon, seed }, outliers)?.forecast ?? null,
    ),
  }));
  for (const { model } of rankByBacktest(candidates)) {
    const result = forecastBy(model, trimmed, { pool: pooled.origins[0]!, horizon: settings.horizon, seed }, outliers);
    if (!result) continue;
    return {
      kind: 'forecast',
      id: history.id,
      firstMonth: history.startMonth + history.values.length,
      model: result.model,
      pattern: classifyDemand(sinceRestart(trimmed).values).pattern,
      mean: result.forecast.mean,
      quantiles: result.forecast.quantiles,
      backtest: windowsOfOthersChoice(candidates),
    };
  }
  return skip(
    history,
    'insufficient_history',
    `Too few observed months (${countObserved(trimmed.values)}) for ${settings.models.join(', ')}.`,
  );
}

/**
 * One method by name on one history, with the method's own mean: `auto` cannot be asked for here, since it needs a pooled
 * model. Otherwise the same guarantees as {@link forecastSeries}.
 */
export function forecastWith(
  name: ClassicalName,
  history: DemandHistory,
  horizon: number,
  seed: number,
): QuantileForecast | SkippedSeries {
  if (!isComputable(history.values)) return skip(history, 'not_finite', TOO_LARGE);
  const { values } = withoutReturns(history);
  const forecast = runForecaster(METHODS[name], values, horizon, seed);
  if (forecast) return finish(forecast, values);
  const observed = countObserved(values);
  return observed === 0
    ? skip(history, 'no_observations', 'No month has data.')
    : skip(history, 'insufficient_history', `Too few observed months (${observed}) for ${name}.`);
}

/**
 * Why a history that begins with an observation is not forecast; null where it is. One whose last observation is older than the
 * longest horizon says nothing about the months to come.
 */
function refuse(history: DemandHistory, settings: EngineSettings): SkippedSeries | null {
  const observed = countObserved(history.values);
  if (observed === 0) return skip(history, 'no_observations', 'No month has data.');
  if (observed < settings.minHistory) {
    return skip(
      history,
      'insufficient_history',
      `${inMonths(observed)} observed; the run requires ${settings.minHistory}.`,
    );
  }
  let silent = 0;
  while (Number.isNaN(history.values[history.values.length - 1 - silent]!)) silent++;
  if (silent >= MAX_HORIZON) {
    return skip(history, 'no_recent_demand', `No observation in the last ${silent} months.`);
  }
  return null;
}

function skip(history: DemandHistory, reason: SkipReason, detail: string): SkippedSeries {
  return { kind: 'skipped', id: history.id, reason, detail };
}

function forecastBy(
  model: ModelName,
  history: DemandHistory,
  task: ForecastTask,
  outliers: OutlierPolicy,
): { readonly forecast: QuantileForecast; readonly model: string } | null {
  const used = model === 'auto' ? sinceRestart(history) : history;
  const values = applyOutlierPolicy(outliers, used.values, used.startMonth, task.pool.calendar);
  if (model === 'auto') {
    const routed = routedForecast({ ...used, values }, classifyDemand(used.values), task);
    return { forecast: raiseMeans(finish(routed.forecast, values)), model: routed.model };
  }
  const forecast = runForecaster(METHODS[model], values, task.horizon, task.seed);
  return forecast && { forecast: raiseMeans(finish(forecast, values)), model };
}

/** Demand is not negative, and nothing that is not finite leaves the engine. */
function finish(forecast: QuantileForecast, values: Float64Array): QuantileForecast {
  // a series that never sold has no size of its own to bound a forecast by
  const scale = binaryScale(meanAbsolute(values) > 0 ? values : forecast.mean);
  divideForecast(forecast, scale);
  makeFiniteAndOrdered(forecast, lastObserved(values) / scale);
  divideForecast(forecast, 1 / scale);
  clampAtZero(forecast.mean);
  clampAtZero(forecast.quantiles);
  return forecast;
}

function clampAtZero(numbers: Float64Array): void {
  for (let i = 0; i < numbers.length; i++) if (!(numbers[i]! > 0)) numbers[i] = 0;
}

/** Raises the mean of every month to the least that its quantiles allow, in place. */
function raiseMeans(forecast: QuantileForecast): QuantileForecast {
  const { mean, quantiles } = forecast;
  for (let k = 0; k < mean.length; k++) mean[k] = Math.max(mean[k]!, meanLowerBound(quantiles, k));
  return forecast;
}
