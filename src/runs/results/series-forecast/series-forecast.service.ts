import { Injectable } from '@nestjs/common';
import { drawForecast, toSignificant } from '../../../forecasts/index.js';
import { assessTrend, type TrendLabel } from '../../../forecasting/change/index.js';
import {
  centralMeasure,
  describeForecast,
  finishAccuracy,
  formatMonth,
  LEVELS,
  MEDIAN,
  monthInWords,
  seriesAccuracy,
} from '../../../forecasting/index.js';
import { Clock } from '../../../platform/clock.js';
import { Database } from '../../../platform/database/database.js';
import type { Tenant } from '../../../platform/database/scope.js';
import { activeOverrides, applyOverride, type MonthlyOverrides, trendLabelAt } from '../../../series/index.js';
import { finishOf, newestMonthOf } from '../../run.js';
import { type CompletedForecast, CompletedForecasts } from '../completed-forecasts.js';
import type { SeriesForecastDto, SeriesForecastQueryDto } from './series-forecast.dto.js';

/** The forecast of a series in words or as a chart. */
@Injectable()
export class SeriesForecastService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly forecasts: CompletedForecasts,
  ) {}

  /** @throws {Problem} 404, 409 `run_not_completed` */
  async inWords(reader: Tenant, query: SeriesForecastQueryDto, seriesId: string): Promise<SeriesForecastDto> {
    const found = await this.forecasts.one(reader, query.run_id, seriesId);
    const overrides = query.apply_overrides === true ? await this.overrides(found) : undefined;
    return inWords(found, await this.trendLabel(found), overrides);
  }

  /** A self-contained SVG of history and forecast. @throws {Problem} 404, 409 `run_not_completed` */
  async drawn(reader: Tenant, runId: string, seriesId: string): Promise<string> {
    const found = await this.forecasts.one(reader, runId, seriesId);
    const { series, detail } = found;
    const { summary, months } = inWords(found, await this.trendLabel(found));
    const last = detail.forecast.firstMonth + months.length - 1;
    const medianHides = centralMeasure(detail.forecast) === 'mean';
    return drawForecast({
      name: series.product_name ?? series.unique_id,
      description: `${summary} The chart shows the demand of the latest years and the forecast from ${monthInWords(detail.forecast.firstMonth)} to ${monthInWords(last)} with its ranges.${medianHides ? ' The dashed line is the mean, which adds up over months, unlike medians.' : ''}`,
      unit: series.unit,
      historyStart: detail.history.startMonth,
      history: detail.history.values,
      firstMonth: detail.forecast.firstMonth,
      quantiles: detail.forecast.quantiles,
      ...(medianHides ? { mean: detail.forecast.mean } : {}),
    });
  }

  private async overrides({ scope, series }: CompletedForecast): Promise<MonthlyOverrides> {
    return (await activeOverrides(this.database, scope, [series.id], this.clock.now())).get(series.id) ?? new Map();
  }

  /** The trend label at the time the run completed; if there was none, the one that the run's own history shows. */
  private async trendLabel({ run, scope, series, detail }: CompletedForecast): Promise<TrendLabel> {
    return (await trendLabelAt(this.database, scope, series.id, finishOf(run))) ?? assessTrend(detail.history).label;
  }
}

function inWords(
  { run, series, detail: { forecast, history } }: CompletedForecast,
  trendLabel: TrendLabel,
  overrides?: MonthlyOverrides,
): SeriesForecastDto {
  const months = Array.from(forecast.mean, (_, step) => ({
    period: formatMonth(forecast.firstMonth + step),
    best_estimate: forecast.quantiles[step * LEVELS + MEDIAN]!,
    low_estimate: forecast.quantiles[step * LEVELS]!,
    high_estimate: forecast.quantiles[step * LEVELS + LEVELS - 1]!,
    mean: forecast.mean[step]!,
    ...(overrides && {
      final: applyOverride(forecast.quantiles[step * LEVELS + MEDIAN]!, overrides.get(forecast.firstMonth + step)),
    }),
  }));
  const { wape } = finishAccuracy(seriesAccuracy(forecast.backtest));
  return {
    run_id: run.id,
    series_id: series.id,
    unique_id: series.unique_id,
    product_name: series.product_name,
    ...months[0]!, // the horizon is at least a month
    unit: series.unit,
    trend_label: trendLabel,
    accuracy_score: wape === null ? null : toSignificant(100 * Math.max(0, 1 - wape)),
    summary: describeForecast({
      history: { ...history, unit: series.unit ?? '' },
      forecast,
      trendLabel,
      important: series.important,
      newestMonth: newestMonthOf(run),
    }),
    months,
  };
}
