import { adjustCalendar, type CalendarAdjustment } from '../calendar-regression/adjustment.js';
import type { CalendarPrior } from '../calendar-regression/posterior.js';
import { dynamicThetaNonSeasonal } from '../methods/dynamic-theta.js';
import { averagedEts } from '../methods/ets/averaged-ets.js';
import { runForecaster, type Forecaster } from '../methods/forecaster.js';
import { ridgeFourier } from '../methods/ridge-fourier.js';
import { seasonalNaive } from '../methods/seasonal-naive.js';
import { thetaNonSeasonal } from '../methods/theta.js';
import type { MonthNumber, QuantileForecast } from '../types.js';
import { networkAdjustedView, networkViews } from './network-views.js';

/** What a forecast of one series at one origin starts from. */
export interface MemberInput {
  /** Demand up to the origin; NaN where missing. */
  readonly values: Float64Array;
  readonly startMonth: MonthNumber;
  readonly prior: CalendarPrior;
  readonly horizon: number;
  readonly seed: number;
}

type MemberForecaster = (input: MemberInput, adjustment: CalendarAdjustment) => QuantileForecast | null;

/** Members of the combination, in the order of every weight vector. */
const MEMBERS: readonly MemberForecaster[] = [
  onAdjusted(averagedEts),
  onAdjusted(dynamicThetaNonSeasonal),
  onAdjusted(thetaNonSeasonal),
  onHistory(seasonalNaive),
  ({ values, horizon }) => networkViews(values, horizon),
  ({ horizon }, adjustment) => networkAdjustedView(adjustment, horizon),
  onHistory(ridgeFourier),
];

/**
 * Forecasts of the members that have weight, in the order of {@link MEMBERS}; null for one that has none or cannot forecast
 * this history.
 */
export function forecastMembers(input: MemberInput, weights: readonly number[]): (QuantileForecast | null)[] {
  const adjustment = adjustCalendar(input.values, input.startMonth, input.prior);
  return MEMBERS.map((forecast, m) => (weights[m]! > 0 ? forecast(input, adjustment) : null));
}

/** Runs a method on the adjusted history and puts the calendar effects back. */
function onAdjusted(method: Forecaster): MemberForecaster {
  return ({ horizon, seed }, adjustment) => {
    const forecast = runForecaster(method, adjustment.adjusted, horizon, seed);
    return forecast && adjustment.restore(forecast);
  };
}

function onHistory(method: Forecaster): MemberForecaster {
  return ({ values, horizon, seed }) => runForecaster(method, values, horizon, seed);
}
