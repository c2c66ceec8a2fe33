import { holidaysOf, usualPrior, type CalendarPrior } from './calendar-prior.js';
import { chooseMostLikely, type Candidate, type Choice } from './marginal-likelihood.js';
import { HOLIDAYS, type HolidayName } from './moving-holidays.js';
import { COMMON_COLUMNS, SEASONAL_COLUMNS } from './regressors.js';
import { ALL_FILTERS, whitenedMoments, type WhitenedMoments, type WhitenedSeries } from './whitening.js';

/** What the regression of one series found. */
export interface CalendarPosterior {
  /** Posterior means of the coefficients: of the common columns, then one for each of `holidays`. */
  readonly coefficients: Float64Array;
  readonly holidays: readonly HolidayName[];
  /** Variance of the whitened errors. */
  readonly noise: number;
  /** Index into `FILTERS`. */
  readonly filter: number;
}

/**
 * How strongly a series' season may differ from the workspace's: factors on the prior variance. Up to 100, or short
 * histories with strong seasons are held back (m3 cut to 35 months: MASE .855 against .776).
 */
const PRIOR_SCALES: readonly number[] = [0.03, 0.1, 0.3, 1, 3, 10, 30, 100];

/**
 * The same over the usual variances, for an item whose season is unlike the workspace's, and the log odds against it (one item in twenty).
 * Where the others agree on their season, even a hundred times their small variance holds such an item back: one of 30 months with the
 * opposite season was given none.
 */
const UNLIKE_SCALES: readonly number[] = [1, 10, 100];
const AGAINST_UNLIKE_SEASON = 3;
/** Variance of an effect of a holiday that is the item's own, and the log odds against each (one item in fifty). */
const OWN_HOLIDAY = 0.1;
const AGAINST_OWN_HOLIDAY = 4;

/**
 * Posterior of the calendar regression, the filter and the prior chosen by integrated likelihood (type II maximum
 * likelihood; conjugate normal regression, O'Hagan, Bayesian Inference, 1994, chapter 11): the workspace's prior at some scale, or
 * one that knows nothing of its season, for the item that is unlike the others. Then the same with holidays of its own.
 * @param series whitened with the holidays of the prior
 */
export function fitPosterior(series: WhitenedSeries, prior: CalendarPrior): CalendarPosterior {
  const unlike = withUnlikeSeason(prior);
  const choice = chooseMostLikely(series.moments, series.rows, [
    ...PRIOR_SCALES.map((scale) => ({ prior, scale, against: 0 })),
    ...UNLIKE_SCALES.map((scale) => ({ prior: unlike, scale, against: AGAINST_UNLIKE_SEASON })),
  ]);
  // An earlier release that stored the prior knew no others.
  const tried = prior.holidays ? HOLIDAYS : holidaysOf(prior);
  return posteriorOf(withOwnHolidays(series, choice, tried));
}

/** The same under the prior as it is, which is how the workspace's own is learned. */
export function fitAtPrior(series: WhitenedSeries, prior: CalendarPrior): CalendarPosterior {
  return posteriorOf(chooseMostLikely(series.moments, series.rows, [{ prior, scale: 1, against: 0 }]));
}

function posteriorOf({ candidate, coefficients, noise, filter }: Choice): CalendarPosterior {
  return { coefficients, holidays: holidaysOf(candidate.prior), noise, filter };
}

/** The prior of an item whose season is unlike the workspace's: as strong as seasons usually are, of no known shape. */
function withUnlikeSeason(prior: CalendarPrior): CalendarPrior {
  const usual = usualPrior();
  return {
    ...prior,
    mean: prior.mean.map((value, i) => (i < SEASONAL_COLUMNS ? 0 : value)),
    variance: prior.variance.map((value, i) => (i < SEASONAL_COLUMNS ? usual.variance[i]! : value)),
  };
}

/**
 * The choice with effects of holidays that are the item's own: of those tried, the one that raises its likelihood most, and again until
 * none does. They are tried with the filter that was chosen without them; with each that is added it is chosen anew, since what a holiday
 * moves looks like a level that moves.
 */
function withOwnHolidays(series: WhitenedSeries, choice: Choice, tried: readonly HolidayName[]): Choice {
  if (tried.length === 0) return choice;
  const [all] = whitenedMoments(series, HOLIDAYS, [choice.filter]);
  let best = choice;
  let added: HolidayName | undefined;
  for (const name of tried) {
    const candidate = withOwnHoliday(choice.candidate, name);
    const moments = withHolidays(all!, holidaysOf(candidate.prior));
    const one = chooseMostLikely([moments], series.rows, [candidate], choice.noise);
    if (one.logLikelihood > best.logLikelihood) [best, added] = [one, name];
  }
  if (added === undefined) return choice;
  const moments = whitenedMoments(series, holidaysOf(best.candidate.prior), ALL_FILTERS);
  const refitted = chooseMostLikely(moments, series.rows, [best.candidate], best.noise);
  return withOwnHolidays(
    series,
    refitted,
    tried.filter((name) => name !== added),
  );
}

/** The candidate with an own effect of one holiday, in place of the workspace's where that has one. */
function withOwnHoliday({ prior, scale, against }: Candidate, name: HolidayName): Candidate {
  const holidays = holidaysOf(prior);
  const at = holidays.indexOf(name);
  const own =
    at < 0
      ? { mean: [...prior.mean, 0], variance: [...prior.variance, OWN_HOLIDAY], holidays: [...holidays, name] }
      : { variance: prior.variance.with(COMMON_COLUMNS + at, OWN_HOLIDAY), holidays };
  return { prior: { ...prior, ...own }, scale, against: against + AGAINST_OWN_HOLIDAY };
}

/** Normal equations with the common columns and those of some holidays, from those with all. */
function withHolidays({ gram, moment, ...others }: WhitenedMoments, holidays: readonly HolidayName[]): WhitenedMoments {
  const common = Array.from({ length: COMMON_COLUMNS }, (_, i) => i);
  const columns = [...common, ...holidays.map((name) => COMMON_COLUMNS + HOLIDAYS.indexOf(name))];
  const part = new Float64Array(columns.length ** 2);
  columns.forEach((a, i) => {
    for (let j = 0; j <= i; j++) {
      const b = columns[j]!;
      part[i * columns.length + j] = gram[Math.max(a, b) * moment.length + Math.min(a, b)]!;
    }
  });
  return { ...others, gram: part, moment: Float64Array.from(columns, (i) => moment[i]!) };
}
