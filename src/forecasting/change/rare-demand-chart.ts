import type { ShiftEvidence } from './level-evidence.js';
import { OrderUnit } from './order-unit.js';
import { rareDemandEvidence } from './rare-demand-shifts.js';

/** Times that the unit grows or shrinks by before demand is counted anew in it. */
const UNIT_CHANGE = 1.3;
/** Months that are counted anew at most; what a level was longer ago no more than confirms it. */
const LONGEST_REPLAY = 120;

/**
 * Evidence for shifts of infrequent demand, month by month. All months are counted in one {@link OrderUnit}: where an odd
 * order makes another unit, they are counted anew, since the same orders in smaller units would be taken for a rise.
 */
export class RareDemandChart {
  private readonly orderUnit = new OrderUnit();
  private evidence = rareDemandEvidence();
  /** Unit that the months of the present level are counted in. */
  private unit: number;
  /** Demand of the latest months of the present level. */
  private demand: number[] = [];

  /** @param warmUp demand (>= 0) of the first months, all counted in the unit that they make */
  constructor(warmUp: readonly number[]) {
    for (const demand of warmUp) this.orderUnit.record(demand);
    this.unit = this.orderUnit.size();
    for (const demand of warmUp) this.count(demand);
  }

  /** Adds a month's demand (>= 0), counted in the unit that the months before it make. */
  record(demand: number): void {
    const unit = this.orderUnit.size();
    if (unit * UNIT_CHANGE < this.unit || unit > this.unit * UNIT_CHANGE) {
      const { demand: replayed } = this;
      this.forget();
      for (const month of replayed) this.count(month);
    }
    this.count(demand);
    this.orderUnit.record(demand);
  }

  /** Evidence of the months so far for a rise and for a fall. */
  shifts(): ShiftEvidence[] {
    return this.evidence.evidence();
  }

  /** Starts a level of which nothing is known yet, counted in the unit that all months so far make. */
  forget(): void {
    this.evidence = rareDemandEvidence();
    this.unit = this.orderUnit.size();
    this.demand = [];
  }

  private count(demand: number): void {
    this.evidence.record(Math.round(demand / this.unit));
    this.demand.push(demand);
    if (this.demand.length > LONGEST_REPLAY) this.demand.shift();
  }
}
