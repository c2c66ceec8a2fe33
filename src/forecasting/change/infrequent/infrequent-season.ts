import { calendarMonth } from '../../calendar.js';
import { MonthNumber, SEASON } from '../../types.js';
import { centeredMean } from '../centered-mean.js';

/** Months that demand waits before it counts for the season: its level is the mean of half a year on both sides. */
const DELAY = SEASON / 2;
/** Shape of the gamma prior of a month's factor, in orders: weight of having no season. */
const STRENGTH = 1;
/** Weight of each neighboring calendar month beside the month itself: seasons last longer than a month. */
const NEIGHBOR = 0.5;

/**
 * Season of infrequent demand: for each calendar month the ratio of its demand to the running mean of the year around it, with
 * half the weight the same of its neighbors, shrunk to one by a gamma prior (mean of the posterior of a Poisson rate;
 * Clayton & Kaldor, Biometrics 43, 1987). A month counts half a year later, the first ones after a year.
 */
export class InfrequentSeason {
  /** Demand from the first month on, NaN where missing. */
  private readonly values: number[] = [];
  /** Months that have been added to the sums, from the first on. */
  private learned = 0;
  /** By calendar month: demand, and what it would have been without season. */
  private readonly demand = new Float64Array(SEASON);
  private readonly level = new Float64Array(SEASON);
  private readonly factors = new Float64Array(SEASON);

  constructor(private readonly startMonth: MonthNumber) {}

  /** Adds the demand (>= 0) of month `index`, later than all before it; months between are missing. */
  record(index: number, demand: number): void {
    while (this.values.length < index) this.values.push(NaN);
    this.values.push(demand);
    if (index < SEASON) return;
    for (; this.learned <= index - DELAY; this.learned++) this.add(this.learned, 1);
  }

  /**
   * Seasonal factor of month `index` (mean one over the year), estimated from all other months learned so far.
   *
   * @param unit size of an order, in units of demand; Infinity before the first
   */
  factor(index: number, unit: number): number {
    if (!Number.isFinite(unit)) return 1;
    if (index < this.learned) this.add(index, -1);
    const prior = STRENGTH * unit;
    let sum = 0;
    for (let m = 0; m < SEASON; m++) {
      this.factors[m] = (prior + around(this.demand, m)) / (prior + around(this.level, m));
      sum += this.factors[m]!;
    }
    if (index < this.learned) this.add(index, 1);
    return (SEASON * this.factors[calendarMonth(this.startMonth + index)]!) / sum;
  }

  /** Adds month `index` to the sums, or takes it out of them. */
  private add(index: number, sign: 1 | -1): void {
    const level = centeredMean(this.values, Math.max(index, DELAY));
    const demand = this.values[index]!;
    if (!Number.isFinite(demand + level)) return;
    const month = calendarMonth(this.startMonth + index);
    this.demand[month]! += sign * demand;
    this.level[month]! += sign * level;
  }
}

/** A calendar month and a share of both its neighbors. */
function around(sums: Float64Array, month: number): number {
  return (
    sums[month]! +
    NEIGHBOR * (sums[month === SEASON - 1 ? 0 : month + 1]! + sums[month === 0 ? SEASON - 1 : month - 1]!)
  );
}
