/** A form of the exponential smoothing family (Hyndman, Koehler, Ord & Snyder, Forecasting with Exponential Smoothing, 2008). */
export interface EtsForm {
  readonly error: 'additive' | 'multiplicative';
  readonly trend: 'none' | 'additive' | 'damped';
  readonly season: 'none' | 'additive' | 'multiplicative';
}

/** A fitted form: smoothing parameters, states after the last month, and the criterion by which forms are compared. */
export interface EtsFit {
  readonly form: EtsForm;
  /** Months of the series it was fitted to: the next one's position in the cycle. */
  readonly months: number;
  readonly alpha: number;
  /** 0 without trend. */
  readonly beta: number;
  /** 0 without season. */
  readonly gamma: number;
  /** 0 without trend, 1 with an undamped one. */
  readonly phi: number;
  readonly level: number;
  readonly slope: number;
  /** Seasonal states by position in the cycle (`month index mod 12`); empty without season. */
  readonly seasonal: Float64Array;
  /** Standard deviation of the one-step errors (relative errors when the error is multiplicative). */
  readonly sigma: number;
  /** Akaike's criterion with the small-sample correction. */
  readonly aicc: number;
}

/** Where the fit of a form starts from: a series apart from its season. */
export interface SeasonStart {
  /** The series without its season, for the first guess of level and slope. */
  readonly adjusted: Float64Array;
  /** The 12 initial seasonal states, which stay fixed, by position in the cycle; empty without season. */
  readonly seasonal: Float64Array;
}

/** The start of a form without season. */
export function withoutSeason(values: Float64Array): SeasonStart {
  return { adjusted: values, seasonal: new Float64Array(0) };
}

/** Usual region of the smoothing parameters (same source, 2.5), kept off its edge. */
export const MIN_SMOOTHING = 1e-4;
export const MAX_ALPHA = 0.9999;
/** Damping below .8 is a step, above .98 cannot be told from none (the range of R `forecast::ets`). */
export const MIN_PHI = 0.8;
export const MAX_PHI = 0.98;
/** A multiplicative error needs one-step forecasts above this share of the mean. */
export const MIN_MULTIPLICATIVE = 1e-8;
/**
 * Largest standard deviation of relative errors. Above, a third of the shocks would take all of demand, and simulated paths multiply
 * from month to month: one month entered a thousand times too large made medians of a hundred times that. Real demand stays
 * below 1.5 (log-normal noise of a factor of e either way: 1.3).
 */
export const MAX_RELATIVE_SIGMA = 2;
