import {
  type AccuracySums,
  type BacktestWindow,
  emptyAccuracy,
  finishAccuracy,
  formatMonth,
  LEVELS,
  MEDIAN,
  mergeAccuracy,
  type MonthNumber,
  monthOfWindow,
  seriesAccuracy,
} from '../../forecasting/index.js';
import { applyOverride, type OverrideValue } from '../../series/index.js';
import { errorFields } from '../run.js';
import type { ForecastAccuracyDto } from './forecast-accuracy.dto.js';

/** Adds up how the forecasts of a run turned out, series by series. */
export class Outcomes {
  private series = 0;
  private sums = emptyAccuracy();
  private readonly byMonth = new Map<MonthNumber, AccuracySums>();
  private readonly overridden = { months: 0, demand: 0, error: 0, finalError: 0 };

  /** @param overrides of the series, by month */
  add(window: BacktestWindow, overrides: ReadonlyMap<MonthNumber, OverrideValue> | undefined): void {
    this.series += 1;
    this.sums = mergeAccuracy(this.sums, seriesAccuracy([window]));
    window.actual.forEach((actual, step) => {
      if (Number.isNaN(actual)) return;
      const month = window.firstMonth + step;
      const ofMonth = seriesAccuracy([monthOfWindow(window, step)]);
      this.byMonth.set(month, mergeAccuracy(this.byMonth.get(month) ?? emptyAccuracy(), ofMonth));
      const override = overrides?.get(month);
      if (override) this.addOverridden(actual, window.quantiles[step * LEVELS + MEDIAN]!, override);
    });
  }

  private addOverridden(actual: number, median: number, override: OverrideValue): void {
    this.overridden.months += 1;
    this.overridden.demand += Math.abs(actual);
    this.overridden.error += Math.abs(actual - median);
    this.overridden.finalError += Math.abs(actual - applyOverride(median, override));
  }

  finish(): Omit<ForecastAccuracyDto, 'run_id'> {
    const months = [...this.byMonth.keys()].sort((a, b) => a - b);
    const [first, last] = [months.at(0), months.at(-1)];
    return {
      from: first === undefined ? null : formatMonth(first),
      to: last === undefined ? null : formatMonth(last),
      series: this.series,
      months: this.sums.months,
      ...errorFields(finishAccuracy(this.sums)),
      by_month: months.map((month) => {
        const accuracy = finishAccuracy(this.byMonth.get(month)!);
        return { ds: formatMonth(month), series: accuracy.months, ...errorFields(accuracy) };
      }),
      overrides: this.valueAdded(),
    };
  }

  private valueAdded(): ForecastAccuracyDto['overrides'] {
    const { months, demand, error, finalError } = this.overridden;
    return {
      months,
      wape: demand > 0 ? error / demand : null,
      final_wape: demand > 0 ? finalError / demand : null,
      value_added: error > 0 ? 1 - finalError / error : null,
    };
  }
}
