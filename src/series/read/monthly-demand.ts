import { type MonthNumber } from '../../forecasting/index.js';
import { addMonthlyTotals, hasLaterDays, lastPackedDay, type PackedYear } from './packed-demand.js';

const YEAR = 12;

/** The demand of one series, or that of several, by month. Takes a year at a time, so that days need not be kept. */
export class MonthlyDemand {
  /** Totals by year, NaN in months without demand. */
  private readonly totals = new Map<number, Float64Array>();
  private startMonth: MonthNumber;
  private lastDay: number | null = null;
  private hasLaterDays = false;

  /** @param lastMonth where the history ends */
  constructor(private readonly lastMonth: MonthNumber) {
    this.startMonth = lastMonth + 1;
  }

  add(demand: PackedYear): void {
    const { year, observedMonths, monthFigures } = demand;
    let totals = this.totals.get(year);
    if (!totals) this.totals.set(year, (totals = new Float64Array(YEAR).fill(NaN)));
    addMonthlyTotals(totals, YEAR * year, demand);
    // may be after the last month in the same year
    this.startMonth = Math.min(this.startMonth, YEAR * year + lowestBit(observedMonths));
    this.hasLaterDays ||= hasLaterDays(demand);
    const month = this.lastMonth % YEAR;
    if (year !== Math.floor(this.lastMonth / YEAR) || (((observedMonths & ~monthFigures) >> month) & 1) === 0) return;
    this.lastDay = Math.max(this.lastDay ?? 0, lastPackedDay(demand, month));
  }

  /**
   * @returns totals from `startMonth` to the last month, NaN where missing; and the last day with demand, 1 to 31, in the last month, null
   * if that month has none or is a single figure
   */
  history(): { readonly startMonth: MonthNumber; readonly values: Float64Array; readonly lastDay: number | null } {
    const { startMonth, lastMonth } = this;
    const values = Float64Array.from({ length: lastMonth - startMonth + 1 }, (_, step) => {
      const month = startMonth + step;
      return this.totals.get(Math.floor(month / YEAR))?.[month % YEAR] ?? NaN;
    });
    // in a series without other days, the first day is a figure: many systems write a month as its first day, and so does zero filling
    const isFigure = this.lastDay === 1 && !this.hasLaterDays;
    return { startMonth, values, lastDay: isFigure ? null : this.lastDay };
  }
}

function lowestBit(mask: number): number {
  return Math.log2(mask & -mask);
}
