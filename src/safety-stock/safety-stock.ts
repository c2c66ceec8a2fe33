import {
  describeEnd,
  describeStaleness,
  type MonthNumber,
  monthInWords,
  QUANTILE_LEVELS,
} from '../forecasting/index.js';
import { type ForecastDetail, toSignificant } from '../forecasts/index.js';
import { demandForecast, type ErrorPool, recommendSafetyStock } from '../inventory/index.js';
import { counted } from '../platform/counted.js';
import type { SafetyStockDto } from './safety-stock.dto.js';
import { type StockTarget, withinHorizon } from './stock-target.js';

/** A safety-stock recommendation, as the API returns it, in the unit of the series. */
export type SafetyStockAdvice = Omit<SafetyStockDto, 'run_id' | 'series_id' | 'unique_id' | 'product_name' | 'unit'>;

/**
 * Safety stock of a series based on the forecast of one run.
 * @param target of which lead times longer than the forecast count as that long, with a warning
 * @param pool backtest errors of all series of the run
 * @param newestMonth newest month of the run's data, for a warning if a series ends long before it; absent if unknown
 * @throws {RangeError} naming `lead_time`, `lead_time_sd` or `service_level` if it is below its range
 */
export function adviseSafetyStock(
  { forecast, history, orderSizes }: ForecastDetail,
  pool: ErrorPool | undefined,
  target: StockTarget,
  newestMonth?: MonthNumber,
): SafetyStockAdvice {
  const covered = withinHorizon(target, forecast.mean.length);
  const advice = recommendSafetyStock({
    forecast: demandForecast(forecast, QUANTILE_LEVELS, history.values, orderSizes),
    ...covered,
    pool,
  });
  const ofHistory = [
    describeLimit(target, covered),
    describeStaleness(forecast.firstMonth - 1, newestMonth),
    describeEnd(history),
  ];
  const [reorderPoint, leadTimeDemand] = [toSignificant(advice.reorderPoint), toSignificant(advice.leadTimeDemand)];
  return {
    // the difference to the rounded demand, so that both add up to a whole reorder point: 6 pieces, not 6.000001
    safety_stock: reorderPoint === leadTimeDemand ? 0 : toSignificant(advice.reorderPoint - leadTimeDemand),
    reorder_point: reorderPoint,
    lead_time_demand: leadTimeDemand,
    lead_time_demand_sigma: toSignificant(advice.leadTimeDemandSigma),
    undershoot: advice.undershoot === null ? null : toSignificant(advice.undershoot),
    service_level: advice.serviceLevel,
    lead_time: advice.leadTime,
    lead_time_sd: advice.leadTimeSd,
    method: advice.method,
    demand_pattern: forecast.pattern,
    assumptions: [...advice.assumptions, describeStart(forecast.firstMonth)],
    warnings: [...ofHistory.filter((warning) => warning !== undefined), ...advice.warnings],
  };
}

/** Of which order the figures are: those of a season change with the days of the month. */
function describeStart(firstMonth: MonthNumber): string {
  return `The lead time is assumed to begin with ${monthInWords(firstMonth)}; for an order later in that month, add the demand expected in as many days after the lead time and subtract that of the days gone by.`;
}

/** What to tell people of lead times of a target that the figures are not for; undefined if they are. */
function describeLimit(target: StockTarget, covered: StockTarget): string | undefined {
  if (target.leadTime === covered.leadTime && target.leadTimeSd === covered.leadTimeSd) return undefined;
  const inWords = ({ leadTime, leadTimeSd }: StockTarget): string =>
    leadTimeSd === 0 ? counted(leadTime, 'month') : `${leadTime} ± ${toSignificant(leadTimeSd)} months`;
  const figures = `the figures are for ${inWords(covered)}.`;
  if (covered.leadTimeSd === target.leadTime) {
    return `Lead times of ${inWords(target)} vary by more than their mean: ${figures}`;
  }
  return `The forecast is too short for lead times of ${inWords(target)}: ${figures} Start runs with a longer horizon.`;
}
