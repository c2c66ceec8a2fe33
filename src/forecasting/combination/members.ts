import { adjustCalendar, type CalendarAdjustment } from '../calendar-regression/adjustment.js';
import type { CalendarPrior } from '../calendar-regression/calendar-prior.js';
import { dynamicThetaNonSeasonal } from '../methods/dynamic-theta.js';
import { averagedEts } from '../methods/ets/averaged-ets.js';
import { runForecaster, type Forecaster } from '../methods/forecaster.js';
import { ridgeFourier } from '../methods/ridge-fourier.js';
import { seasonalNaive } from '../methods/seasonal-naive.js';
import { thetaNonSeasonal } from '../methods/theta.js';
import type { MonthNumber, QuantileForecast } from '../types.js';
import { boundLastMonth } from './bounded-last-month.js';
import { bridgeGaps } from './bridged-gaps.js';
import { byMember, type MemberName } from './member-names.js';
import { networkAdjustedView, networkViews } from './network-views.js';
import { forecastByAutoregression, type PooledAutoregression } from './pooled-autoregression.js';

/** What the members' forecasts of all series at one origin share. */
export interface MemberTask {
  readonly prior: CalendarPrior;
  /** None in what short histories are forecast with, and where the workspace has too few windows. */
  readonly autoregression?: PooledAutoregression | null;
  /** In months. */
  readonly horizon: number;
  readonly seed: number;
}

/** What a forecast of one series at one origin starts from. */
export interface MemberInput extends MemberTask {
  /** Demand up to the origin; NaN where missing. */
  readonly values: Float64Array;
  readonly startMonth: MonthNumber;
}

/** One history as the members see it. */
interface MemberView extends MemberInput {
  /** `values` as recorded: the network gets these, since it has learned how much to trust an unusual last month. */
  readonly recorded: Float64Array;
  /** Of `values`, in which the last month is bounded. */
  readonly adjustment: CalendarAdjustment;
}

type MemberForecaster = (view: MemberView) => QuantileForecast | null;

const MEMBERS: Readonly<Record<MemberName, MemberForecaster>> = {
  averaged_ets: onAdjusted(averagedEts),
  dynamic_theta: onAdjusted(dynamicThetaNonSeasonal),
  theta: onAdjusted(thetaNonSeasonal),
  seasonal_naive: onHistory(seasonalNaive),
  network: ({ recorded, adjustment, horizon }) => {
    const { moving } = adjustment;
    const bridged = bridgeGaps(recorded, adjustment);
    const known = moving.without(recorded);
    return moving.restore(networkViews(known, bridged === recorded ? known : moving.without(bridged), horizon));
  },
  network_adjusted: ({ adjustment, horizon }) => networkAdjustedView(adjustment, horizon),
  ridge_fourier: onHistory(ridgeFourier),
  pooled_autoregression: ({ adjustment, autoregression, horizon }) => {
    const forecast = autoregression ? forecastByAutoregression(autoregression, adjustment.adjusted, horizon) : null;
    return forecast && adjustment.restore(forecast);
  },
};

/**
 * Forecasts of the members that have weight, in the order of {@link byMember}; null for one that has none or cannot forecast this
 * history.
 */
export function forecastMembers(input: MemberInput, weights: readonly number[]): (QuantileForecast | null)[] {
  const view = viewOf(input);
  return byMember((name, m) => (weights[m]! > 0 ? MEMBERS[name](view) : null));
}

function viewOf(input: MemberInput): MemberView {
  const { values: recorded, startMonth, prior } = input;
  const asRecorded = adjustCalendar(recorded, startMonth, prior);
  const values = boundLastMonth(recorded, asRecorded);
  const adjustment = values === recorded ? asRecorded : adjustCalendar(values, startMonth, prior);
  return { ...input, values, recorded, adjustment };
}

/** Runs a method on the adjusted history and puts the calendar effects back. */
function onAdjusted(method: Forecaster): MemberForecaster {
  return ({ adjustment, horizon, seed }) => {
    const forecast = runForecaster(method, adjustment.adjusted, horizon, seed);
    return forecast && adjustment.restore(forecast);
  };
}

/** Runs a method on the history as it is. */
function onHistory(method: Forecaster): MemberForecaster {
  return ({ values, horizon, seed }) => runForecaster(method, values, horizon, seed);
}
