/** The parameters of a stock recommendation. */
export interface StockTarget {
  /** Months from order to delivery. */
  readonly leadTime: number;
  /** Standard deviation of lead times, in months. */
  readonly leadTimeSd: number;
  /** Cycle service level. */
  readonly serviceLevel: number;
}

/** The default target, and that of stored safety stock. */
export const USUAL_TARGET: StockTarget = { leadTime: 1, leadTimeSd: 0, serviceLevel: 0.95 };
