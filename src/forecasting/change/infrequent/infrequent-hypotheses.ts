import { CountHypotheses, CountShift } from './count-hypotheses.js';
import type { CountLevel } from './count-tables.js';

/**
 * Mean demands of a month that are considered, in units of {@link OrderUnit}: each about a third above the one before. The
 * limits below were chosen on simulated series of other seeds than the benchmark's, for 2 % false alarms a series-year.
 */
const MEANS = Array.from({ length: 11 }, (_, i) => 0.2 * 15 ** (i / 10));
/** Variances over these means that are considered, each about 1.6 times the one before; 1 would be Poisson. */
const DISPERSIONS = [1.2, 2, 3.2, 5];
/** Rise, in standard deviations of a month, that the chart is tuned to find. */
const SIGMAS_OF_RISE = 1.25;
/** Share of demand that is left after a fall: falls by half hide in infrequent demand for years, the end of demand does not. */
const LEFT_AFTER_FALL = 0.05;
/** Logarithm of the likelihood ratio above which a rise is one. */
const RISE_LIMIT = 4.03;
/** Added for each month that a rise has lasted less than the longest: waiting costs little, and single orders are no level. */
const LIMIT_OF_FEW_MONTHS = 0.2;
/** Latest months that a rise may have begun in: more would raise false alarms and find no more of what half a year shows. */
const MAX_RISE = 6;
/**
 * Higher than for rises: infrequent demand has no room for a fall of two standard deviations, and the same false alarms find more
 * shifts when they are spent on rises.
 */
const FALL_LIMIT = 7.4;
/** Latest months that a fall may have begun in. */
const MAX_FALL = 36;

const LEVELS: readonly CountLevel[] = MEANS.flatMap((mean) => DISPERSIONS.map((dispersion) => ({ mean, dispersion })));

/** A rise of infrequent demand. */
export const RISE: CountShift = {
  direction: 1,
  shifted: ({ mean, dispersion }) => mean + SIGMAS_OF_RISE * Math.sqrt(dispersion * mean),
  longest: MAX_RISE,
  limit: (months) => RISE_LIMIT + LIMIT_OF_FEW_MONTHS * (MAX_RISE - months),
};

const FALL: CountShift = {
  direction: -1,
  shifted: ({ mean }) => LEFT_AFTER_FALL * mean,
  longest: MAX_FALL,
  limit: () => FALL_LIMIT,
};

/** The hypotheses about infrequent demand before any of it is known. */
export const INFREQUENT_DEMAND = new CountHypotheses(LEVELS, [RISE, FALL]);
