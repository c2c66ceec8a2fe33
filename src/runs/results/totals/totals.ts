import { setImmediate as nextTurn } from 'node:timers/promises';
import { formatMonth, LEVELS, MEDIAN, type MonthNumber, TotalForecast } from '../../../forecasting/index.js';
import { type ForecastDetail, toSignificant } from '../../../forecasts/index.js';
import { applyOverride, type MonthlyOverrides } from '../../../series/index.js';
import type { ForecastTotalDto } from './forecast-totals.dto.js';

/** Totals at a time. Of 36 months each: some 5 MB. */
export const MAX_TOTALS = 1_000;

/** A total, of series of one unit. */
interface Group {
  readonly category: string | null;
  readonly unit: string | null;
  readonly forecast: TotalForecast;
  /** What overrides add to the medians, by period. */
  readonly moves: Map<MonthNumber, number>;
}

/** What is added up, and which months of it. */
export interface Selection {
  readonly byCategory: boolean;
  readonly sumMonths: boolean;
  readonly from: MonthNumber;
  readonly to: MonthNumber;
}

/** All months of a run, category by category. */
export const TOTALS_BY_CATEGORY: Selection = { byCategory: true, sumMonths: false, from: -Infinity, to: Infinity };

/** Totals of a run's forecasts, series by series. */
export class Totals {
  private readonly groups = new Map<string, Group>();

  constructor(private readonly selection: Selection) {}

  get size(): number {
    return this.groups.size;
  }

  /** @param overrides those of the series, if they count */
  add({ forecast, history }: ForecastDetail, overrides: MonthlyOverrides | undefined): void {
    const category = this.selection.byCategory ? (history.category ?? null) : null;
    const { forecast: total, moves } = this.groupOf(category, history.unit ?? null);
    total.add(forecast, history.values);
    for (const [month, override] of overrides ?? []) {
      const median = forecast.quantiles[(month - forecast.firstMonth) * LEVELS + MEDIAN];
      const period = this.periodOf(month);
      if (median === undefined || period === undefined) continue;
      moves.set(period, (moves.get(period) ?? 0) + applyOverride(median, override) - median);
    }
  }

  /** Ordered by category, unit and month, those without a category or unit last. */
  async list(withFinal: boolean): Promise<ForecastTotalDto[]> {
    const rows: ForecastTotalDto[] = [];
    const ordered = [...this.groups.values()].sort(
      (a, b) => compare(a.category, b.category) || compare(a.unit, b.unit),
    );
    for (const { category, unit, forecast, moves } of ordered) {
      const months = forecast.totals().map(({ firstMonth, lastMonth, series, mean, quantiles }) => ({
        category,
        unit,
        ds: formatMonth(firstMonth),
        months: lastMonth - firstMonth + 1,
        series,
        q10: toSignificant(quantiles[0]!),
        q50: toSignificant(quantiles[MEDIAN]!),
        q90: toSignificant(quantiles[LEVELS - 1]!),
        mean: toSignificant(mean),
        ...(withFinal && { final: toSignificant(Math.max(0, mean + (moves.get(this.periodOf(firstMonth)!) ?? 0))) }),
      }));
      rows.push(...months);
      await nextTurn(); // quantiles of a thousand totals take half a second
    }
    return rows;
  }

  private groupOf(category: string | null, unit: string | null): Group {
    const key = JSON.stringify([category, unit]);
    let group = this.groups.get(key);
    if (!group) {
      group = { category, unit, forecast: new TotalForecast((month) => this.periodOf(month)), moves: new Map() };
      this.groups.set(key, group);
    }
    return group;
  }

  private periodOf(month: MonthNumber): MonthNumber | undefined {
    const { from, to, sumMonths } = this.selection;
    if (month < from || month > to) return undefined;
    return sumMonths ? 0 : month;
  }
}

function compare(a: string | null, b: string | null): number {
  if (a === b) return 0;
  if (a === null || b === null) return a === null ? 1 : -1;
  return a < b ? -1 : 1;
}
