import {
  type AccuracySums,
  type BacktestWindow,
  emptyAccuracy,
  finishAccuracy,
  formatMonth,
  LEVELS,
  MEDIAN,
  mergeAccuracy,
  monthAccuracy,
  type MonthNumber,
  seriesAccuracy,
} from '../../../forecasting/index.js';
import { toSignificant } from '../../../forecasts/index.js';
import {
  applyOverride,
  type describeSeries,
  type MonthlyOverrides,
  type OverrideValue,
} from '../../../series/index.js';
import { errorFields } from '../../run.js';
import { type ForecastAccuracyDto, MAX_LISTED_ERRORS } from './forecast-accuracy.dto.js';

/** The forecast of a series and what came of it. */
export interface SeriesOutcome {
  readonly seriesId: string;
  readonly uniqueId: string;
  readonly window: BacktestWindow;
  readonly overrides: MonthlyOverrides | undefined;
}

type SeriesErrors = Pick<SeriesOutcome, 'seriesId' | 'uniqueId'> & { readonly sums: AccuracySums };

/** Accumulates the accuracy of a run's forecasts, series by series. */
export class Outcomes {
  private series = 0;
  private sums = emptyAccuracy();
  /** Largest first. */
  private readonly largest: SeriesErrors[] = [];
  private readonly byMonth = new Map<MonthNumber, AccuracySums>();
  private readonly overridden = { months: 0, demand: 0, error: 0, finalError: 0 };

  add({ window, overrides, ...series }: SeriesOutcome): void {
    const sums = seriesAccuracy([window]);
    this.series += 1;
    this.sums = mergeAccuracy(this.sums, sums);
    if (sums.absoluteError > 0) this.rank({ ...series, sums });
    window.actual.forEach((actual, step) => {
      if (Number.isNaN(actual)) return;
      const month = window.firstMonth + step;
      const ofMonth = monthAccuracy(window, step);
      this.byMonth.set(month, mergeAccuracy(this.byMonth.get(month) ?? emptyAccuracy(), ofMonth));
      const override = overrides?.get(month);
      if (override) this.addOverridden(actual, window.quantiles[step * LEVELS + MEDIAN]!, override);
    });
  }

  private rank(errors: SeriesErrors): void {
    const before = this.largest.findIndex(({ sums }) => sums.absoluteError < errors.sums.absoluteError);
    this.largest.splice(before === -1 ? this.largest.length : before, 0, errors);
    this.largest.splice(MAX_LISTED_ERRORS);
  }

  /** Ids of the series with the largest errors. */
  largestIds(): string[] {
    return this.largest.map(({ seriesId }) => seriesId);
  }

  private addOverridden(actual: number, median: number, override: OverrideValue): void {
    this.overridden.months += 1;
    this.overridden.demand += actual;
    this.overridden.error += Math.abs(actual - median);
    this.overridden.finalError += Math.abs(actual - applyOverride(median, override));
  }

  /** @param described the series with the largest errors, by id */
  finish(described: Awaited<ReturnType<typeof describeSeries>>): Omit<ForecastAccuracyDto, 'run_id'> {
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
      largest_errors: this.largest.map(({ seriesId, uniqueId, sums }) => {
        const { months: compared, wape, bias } = finishAccuracy(sums);
        return {
          series_id: seriesId,
          unique_id: uniqueId,
          product_name: described.get(seriesId)?.productName ?? null,
          unit: described.get(seriesId)?.unit ?? null,
          months: compared,
          absolute_error: toSignificant(sums.absoluteError),
          wape,
          bias,
        };
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
