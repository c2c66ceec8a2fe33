/** Demand by calendar month beside what each month counts for. */
export interface ExposedDemand {
  /** 0 where missing. */
  readonly demand: Float64Array;
  /** In months of the year's mean: the seasonal factor of the month, 0 where missing. */
  readonly exposure: Float64Array;
  /** Variances of the exposures. */
  readonly uncertainty: Float64Array;
}
