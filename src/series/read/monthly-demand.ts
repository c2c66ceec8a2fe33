import { type MonthNumber } from '../../forecasting/index.js';
import { type OrderSizes, orderSizesOf } from '../../inventory/index.js';
import { addMonthlyTotals, demandOfDays, hasLaterDays, lastPackedDay, type PackedYear } from './packed-demand.js';

const YEAR = 12;
/** Last months of which the sizes of orders are taken. */
const ORDER_MONTHS = 3 * YEAR;
/** Share of months from which a single day in each is how a system writes a month, on the 15th or the last working day, and no order. */
const MOST = 0.75;

/** The demand of one series by month. */
export interface MonthlyTotals {
  /** Month of `values[0]`. */
  readonly startMonth: MonthNumber;
  /** Demand to the last month, NaN where missing. */
  readonly values: Float64Array;
  /** Last day with demand, 1 to 31, in the last month; null if that month has none or is a single figure. */
  readonly lastDay: number | null;
  /** Of the days with demand in the last {@link ORDER_MONTHS} months; null if demand is not known by day. */
  readonly orderSizes: OrderSizes | null;
}

/** The demand of one series, or that of several, by month. Takes a year at a time, so that rows need not be kept. */
export class MonthlyDemand {
  /** Totals by year, NaN in months without demand. */
  private readonly totals = new Map<number, Float64Array>();
  private startMonth: MonthNumber;
  private lastDay: number | null = null;
  private hasLaterDays = false;
  /** Demand of the days from which the sizes of orders are taken, by month. */
  private readonly days: number[][] = [];

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
    this.days.push(...demandOfDays(demand, this.lastMonth - ORDER_MONTHS + 1, this.lastMonth));
    const month = this.lastMonth % YEAR;
    if (year !== Math.floor(this.lastMonth / YEAR) || (((observedMonths & ~monthFigures) >> month) & 1) === 0) return;
    this.lastDay = Math.max(this.lastDay ?? 0, lastPackedDay(demand, month));
  }

  history(): MonthlyTotals {
    const { startMonth, lastMonth } = this;
    const values = Float64Array.from({ length: lastMonth - startMonth + 1 }, (_, step) => {
      const month = startMonth + step;
      return this.totals.get(Math.floor(month / YEAR))?.[month % YEAR] ?? NaN;
    });
    // in a series without other days, the first day is a figure: many systems write a month as its first day, and so does zero filling
    const isFigure = this.lastDay === 1 && !this.hasLaterDays;
    return { startMonth, values, lastDay: isFigure ? null : this.lastDay, orderSizes: this.orderSizes(values.length) };
  }

  /** @param months of the history */
  private orderSizes(months: number): OrderSizes | null {
    const isMonthly =
      this.days.every((days) => days.length === 1) && this.days.length >= MOST * Math.min(months, ORDER_MONTHS);
    return isMonthly ? null : orderSizesOf(this.days.flat());
  }
}

function lowestBit(mask: number): number {
  return Math.log2(mask & -mask);
}
