import {
  type CentralMeasure,
  type ExplainedChange,
  type ExplainedMonth,
  formatMonth,
  type MonthNumber,
  monthInWords,
  sumChanges,
  summarizeChange,
} from '../../forecasting/index.js';
import type { ForecastExplainDto } from './forecast-explain.dto.js';
import { roundedSum } from './rounded-change.js';

type SeriesReply = ForecastExplainDto['series'][number];
type ChangeReply = SeriesReply['totals'];

/** A change, as named in the API. */
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

/** What a change over all series sums. */
interface Summed {
  /** Distinct units; null for series without one. */
  readonly units: readonly (string | null)[];
  readonly measures: readonly CentralMeasure[];
  /** Newest month in the data of the current run; undefined if it is unknown. */
  readonly newestMonth?: MonthNumber | undefined;
}

/**
 * The change over all series as a sentence, with their unit and measure if they share one. A sum of pieces and kilograms, or of
 * medians and means, is merely a sum of numbers; further sentences say so. So does one if only a few series have the first months: a
 * series is forecast from the end of its own data, which an item that is no longer sold had long ago.
 */
export function summarizeTotals(months: readonly ExplainedMonth[], { units, measures, newestMonth }: Summed): string {
  const unit = units.length === 1 ? (units[0] ?? '') : '';
  const measure = measures.length === 1 ? measures[0]! : 'median';
  const sentences = [summarizeChange(months, { measure, unit })];
  const ended = months.findLast(({ month }) => newestMonth !== undefined && month <= newestMonth);
  if (ended) {
    sentences.push(`Months up to ${monthInWords(ended.month)} are only those of series whose data ended earlier.`);
  }
  if (units.length > 1) {
    sentences.push(`The totals are sums over different units: ${units.map((name) => name ?? 'no unit').join(', ')}.`);
  }
  if (measures.length > 1)
    sentences.push('The totals combine the expected demand of rarely ordered series with the medians of the others.');
  return sentences.join(' ');
}

/** The months of one series, their sum, and the resulting sentence. */
export function explainedSeries(
  { measure, months }: ExplainedChange,
  unit: string | null,
): Pick<SeriesReply, 'measure' | 'summary' | 'totals' | 'months'> {
  return {
    measure,
    summary: summarizeChange(months, { measure, unit: unit ?? '' }),
    totals: changeReply(roundedSum(sumChanges(months))),
    months: months.map((month) => ({ period: formatMonth(month.month), ...changeReply(month) })),
  };
}
