import { readable } from './change/messages.js';
import type { TrendLabel } from './change/index.js';

/** What a planner is told of one forecast month. */
export interface DescribedForecast {
  /** Month in words or as YYYY-MM. */
  readonly period: string;
  readonly best: number;
  readonly low: number;
  readonly high: number;
  /** Unit of the series; empty when unknown. */
  readonly unit: string;
  readonly trendLabel: TrendLabel;
}

const TREND_WORDS: Record<TrendLabel, string> = {
  strong_growth: 'Demand is growing strongly.',
  growth: 'Demand is growing.',
  stable: 'Demand is stable.',
  decline: 'Demand is declining.',
  strong_decline: 'Demand is declining strongly.',
  intermittent: 'Demand is intermittent: many months without orders are normal.',
  insufficient_data: 'The history is too short to tell a trend.',
};

/** The forecast in one or two sentences, as a planner would say it; low and high are the 10 % and 90 % quantiles. */
export function describeForecast(forecast: DescribedForecast): string {
  const { period, trendLabel } = forecast;
  const unit = forecast.unit === '' ? '' : ` ${forecast.unit}`;
  const [best, low, high] = [readable(forecast.best), readable(forecast.low), readable(forecast.high)];
  if (!(forecast.high > 0)) return `Expect no demand in ${period}. ${TREND_WORDS[trendLabel]}`;
  const range =
    low === high
      ? `Expect ${best}${unit} in ${period}.`
      : `Expect about ${best}${unit} in ${period}, and with four chances in five between ${low} and ${high}.`;
  return `${range} ${TREND_WORDS[trendLabel]}`;
}
