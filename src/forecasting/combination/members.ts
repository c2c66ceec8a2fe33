import { adjustCalendar, type CalendarAdjustment } from '../calendar-regression/adjustment.js';
import type { CalendarPrior } from '../calendar-regression/posterior.js';
import { dynamicThetaNonSeasonal } from '../methods/dynamic-theta.js';
import { averagedEts } from '../methods/ets/averaged.js';
import { runForecaster, type Forecaster } from '../methods/forecaster.js';
import { seasonalNaive } from '../methods/seasonal-naive.js';
import { thetaNonSeasonal } from '../methods/theta.js';
import type { MonthNumber, QuantileForecast } from '../types.js';
import { networkViews } from './network-views.js';

/** Members of the combination, in the order of every weight vector. */
export const MEMBERS = ['averaged_ets', 'dynamic_theta', 'theta', 'seasonal_naive', 'network'] as const;

/** What a forecast of one series at one origin starts from. */
export interface MemberInput {
  /** Demand up to the origin; NaN where missing. */
  readonly values: Float64Array;
  readonly startMonth: MonthNumber;
  readonly prior: CalendarPrior;
  readonly horizon: number;
  readonly seed: number;
}

/** Calendar-adjusted history of an input. */
export function adjust(input: MemberInput): CalendarAdjustment {
  return adjustCalendar(input.values, input.startMonth, input.prior);
}

/** Forecasts of every member in the order of {@link MEMBERS}; null for a member that cannot forecast this history. */
export function forecastMembers(input: MemberInput): (QuantileForecast | null)[] {
  const adjustment = adjust(input);
  return [
    onAdjusted(averagedEts, adjustment, input),
    onAdjusted(dynamicThetaNonSeasonal, adjustment, input),
    onAdjusted(thetaNonSeasonal, adjustment, input),
    runForecaster(seasonalNaive, input.values, input.horizon, input.seed),
    networkViews(input.values, adjustment, input.horizon),
  ];
}

/** Runs a method on the adjusted history and puts the calendar effects back. */
export function onAdjusted(
  method: Forecaster,
  adjustment: CalendarAdjustment,
  input: MemberInput,
): QuantileForecast | null {
  const forecast = runForecaster(method, adjustment.adjusted, input.horizon, input.seed);
  return forecast && adjustment.restore(forecast);
}
