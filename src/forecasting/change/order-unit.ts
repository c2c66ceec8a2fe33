/** Units that an order is counted in, at most: finer ones take the scatter of its size for evidence. */
const UNITS_OF_AN_ORDER = 1.25;

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
  private pack = 0;

  record(demand: number): void {
    this.months++;
    this.sum += demand;
    if (demand > 0) this.pack = greatestCommonDivisor(demand, this.pack);
    else this.empty++;
  }

  /** `demand` (>= 0) as a whole number of units, at least one if there is any; 0 before the first demand. */
  count(demand: number): number {
    if (!(demand > 0 && this.sum > 0)) return 0;
    const ordersAMonth = -Math.log((this.empty + 0.5) / (this.months + 1));
    const order = this.sum / this.months / ordersAMonth;
    const packs = Math.max(Math.floor(order / this.pack / UNITS_OF_AN_ORDER), 1);
    return Math.max(Math.round(demand / this.pack / packs), 1);
  }
}

function greatestCommonDivisor(a: number, b: number): number {
  return b > 0 ? greatestCommonDivisor(b, a % b) : a;
}
