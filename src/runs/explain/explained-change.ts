import {
  type ExplainedChange,
  type ExplainedMonth,
  formatMonth,
  sumChanges,
  summarizeChange,
} from '../../forecasting/index.js';
import type { ForecastExplainDto } from './forecast-explain.dto.js';

type SeriesReply = ForecastExplainDto['series'][number];
type ChangeReply = SeriesReply['totals'];

/** A change under the names of the API. */
export function changeReply(change: Omit<ExplainedMonth, 'month'>): ChangeReply {
  return {
    prior: change.prior,
    current: change.current,
    total: change.total,
    parts: {
      data_revision: change.dataRevision,
      new_actuals_level: change.newActualsLevel,
      new_actuals_trend: change.newActualsTrend,
      new_actuals_season: change.newActualsSeason,
      reestimation: change.reestimation,
      model_change: change.modelChange,
      overrides: change.overrides,
    },
  };
}

/**
 * The change over all series in a sentence, with their unit where they share one; sums of pieces and kilograms are sums of
 * numbers only, and a second sentence says so.
 * @param units each once; null for series without one
 */
export function summarizeTotals(months: readonly ExplainedMonth[], units: readonly (string | null)[]): string {
  if (units.length <= 1) return summarizeChange(months, { unit: units[0] ?? '' });
  const told = units.map((unit) => unit ?? 'no unit').join(', ');
  return `${summarizeChange(months)} The totals add up different units: ${told}.`;
}

/** The months of one series, their sum, and the sentence made of it. */
export function explainedSeries(
  { measure, months }: ExplainedChange,
  unit: string | null,
): Pick<SeriesReply, 'measure' | 'summary' | 'totals' | 'months'> {
  return {
    measure,
    summary: summarizeChange(months, { measure, unit: unit ?? '' }),
    totals: changeReply(sumChanges(months)),
    months: months.map((month) => ({ period: formatMonth(month.month), ...changeReply(month) })),
  };
}
