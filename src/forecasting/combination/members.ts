import { adjustCalendar, type CalendarAdjustment } from '../calendar-regression/adjustment.js';
import type { CalendarPrior } from '../calendar-regression/posterior.js';
import { dynamicThetaNonSeasonal } from '../methods/dynamic-theta.js';
import { averagedEts } from '../methods/ets/averaged-ets.js';
import { runForecaster, type Forecaster } from '../methods/forecaster.js';
import { ridgeFourier } from '../methods/ridge-fourier.js';
import { seasonalNaive } from '../methods/seasonal-naive.js';
import { thetaNonSeasonal } from '../methods/theta.js';
import type { MonthNumber, QuantileForecast } from '../types.js';
import { byMember, type MemberName } from './member-names.js';
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

const MEMBERS: Readonly<Record<MemberName, MemberForecaster>> = {
  averaged_ets: onAdjusted(averagedEts),
  dynamic_theta: onAdjusted(dynamicThetaNonSeasonal),
  theta: onAdjusted(thetaNonSeasonal),
  seasonal_naive: onHistory(seasonalNaive),
  network: ({ values, horizon }) => networkViews(values, horizon),
  network_adjusted: ({ horizon }, adjustment) => networkAdjustedView(adjustment, horizon),
  ridge_fourier: onHistory(ridgeFourier),
};

/**
 * Forecasts of the members that have weight, in the order of {@link byMember}; null for one that has none or cannot forecast this
 * history.
 */
export function forecastMembers(input: MemberInput, weights: readonly number[]): (QuantileForecast | null)[] {
  const adjustment = adjustCalendar(input.values, input.startMonth, input.prior);
  return byMember((name, m) => (weights[m]! > 0 ? MEMBERS[name](input, adjustment) : null));
}

/** Runs a method on the adjusted history and puts the calendar effects back. */
function onAdjusted(method: Forecaster): MemberForecaster {
  return ({ horizon, seed }, adjustment) => {
    const forecast = runForecaster(method, adjustment.adjusted, horizon, seed);
    return forecast && adjustment.restore(forecast);
  };
}

/** Runs a method on the history as it is. */
function onHistory(method: Forecaster): MemberForecaster {
  return ({ values, horizon, seed }) => runForecaster(method, values, horizon, seed);
}
