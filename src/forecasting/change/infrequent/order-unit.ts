import { commonDivisor } from '../../../numeric/common-divisor.js';

/** Units that an order is counted in, at most: finer ones take the scatter of its size for evidence. */
const UNITS_OF_AN_ORDER = 1.25;
/** Finest pack, as a share of the largest order: what is weighed or paid has none. */
const FINEST_PACK = 2e-6;

/**
 * What infrequent demand is counted in: whole packs, as many as make up most of an order. Packs of twelve are not twelve orders,
 * and orders of ten pieces are not ten; demand of one or two pieces at a time is counted in pieces. A pack is the greatest common
 * divisor of all demand so far; an order is the mean demand over the orders a month of a Poisson process with as many empty
 * months.
 */
export class OrderUnit {
  private months = 0;
  private empty = 0;
  private sum = 0;
  private largest = 0;
  private pack = 0;

  /** Learns from a month's demand (>= 0). */
  record(demand: number): void {
    this.months++;
    this.sum += demand;
    if (demand > 0) {
      this.largest = Math.max(this.largest, demand);
      // a pack too fine to be seen beside a larger order is no reason to take that order for a pack
      const pack = this.pack > 0 ? Math.max(this.pack, FINEST_PACK * this.largest) : 0;
      this.pack = commonDivisor(demand, pack, this.largest);
    } else {
      this.empty++;
    }
  }

  /** The unit by the months so far, in units of demand; Infinity before the first demand, which counts nothing. */
  size(): number {
    if (this.pack === 0) return Infinity;
    const ordersAMonth = -Math.log((this.empty + 0.5) / (this.months + 1));
    const order = this.sum / this.months / ordersAMonth;
    return this.pack * Math.max(Math.floor(order / this.pack / UNITS_OF_AN_ORDER), 1);
  }
}
