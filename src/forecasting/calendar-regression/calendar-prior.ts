import type { HolidayName } from './moving-holidays.js';
import { COMMON_COLUMNS, SEASONAL_COLUMNS } from './regressors.js';

/** Normal prior of the regression coefficients over a workspace; plain numbers and names, stored with the pooled model. */
export interface CalendarPrior {
  /** Prior means, one a column. */
  readonly mean: readonly number[];
  /** Prior variances, one a column. */
  readonly variance: readonly number[];
  /** Holidays whose columns come after the common ones; absent in what releases before 0.21.0 stored. */
  readonly holidays?: readonly HolidayName[];
  /** Mean number of observed months in the windows that it was learned from; 0 where it was not learned. */
  readonly months: number;
}

/** A prior of this release, which names its holidays. */
export type KnownPrior = CalendarPrior & Required<Pick<CalendarPrior, 'holidays'>>;

/**
 * Observed months from which effects of working days and moving holidays can be told from the season, and from single events. With
 * every hospital series cut to 13 months, MASE was 1.3 % worse when the network and short histories relied on effects learned from them.
 */
const ENOUGH_MONTHS = 36;

/** Of the weekdays: effects of about 1 %. */
const WEEKDAY_VARIANCE = 1e-4;
/**
 * What workspaces usually come to: geometric means, rounded, of what is learned from the training parts of m3, hospital, tourism
 * and M1. With every set cut into workspaces of 5 series, two or three training origins of each gain .7, .5, .3 and .1 % of
 * MASE and .6, 1.4, .3 and 3 % of WQL9 over flat variances. To begin the rounds with them changes workspaces of 12 and whole
 * sets by -.2 to +.1 % of MASE, up and down. Easter's is that of retail turnover, livestock, prescriptions, hospital and m3.
 */
const USUAL_VARIANCES = variances([5e-3, 2e-3, 1e-3, 1e-3, 5e-4, 2.5e-4], { drift: 3e-5, easter: 5e-4 });

/** Prior of a workspace of a few series: the usual strength of each harmonic, no known shape. */
export function usualPrior(): KnownPrior {
  return unknownShape(USUAL_VARIANCES);
}

/** Variances of all columns from those of the harmonics, whose cosine and sine share one. */
export function variances(
  harmonics: readonly number[],
  { drift, easter }: { readonly drift: number; readonly easter: number },
): readonly number[] {
  const seasonal = Array.from({ length: SEASONAL_COLUMNS }, (_, i) => harmonics[i >> 1]!);
  return [...seasonal, WEEKDAY_VARIANCE, drift, easter];
}

/** A prior of which no shape is known: all means are 0. Its one holiday is Easter, which most countries have. */
export function unknownShape(variance: readonly number[]): KnownPrior {
  return { mean: new Array<number>(variance.length).fill(0), variance, holidays: ['easter'], months: 0 };
}

/** Holidays with a column in the prior. Releases up to 0.17.0 knew none, those up to 0.20.0 Easter. */
export function holidaysOf({ holidays, variance }: CalendarPrior): readonly HolidayName[] {
  return holidays ?? (variance.length > COMMON_COLUMNS ? ['easter'] : []);
}

/** Whether effects of working days and holidays are known, by the workspace or by the `own` observed months of a series. */
export function knowsMovingEffects({ months }: CalendarPrior, own = 0): boolean {
  return Math.max(months, own) >= ENOUGH_MONTHS;
}
