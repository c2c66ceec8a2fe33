import { sumOf } from '../../../numeric/sum.js';
import { calendarMonth } from '../../calendar.js';
import { countObserved, meanObserved } from '../../missing.js';
import { LEVELS, MEDIAN, QUANTILE_LEVELS, SEASON, type MonthlyDemand } from '../../types.js';
import { SHORT_BELOW } from '../classify.js';

/** Seasons of a group of series, free of their levels: what a new series may have. */
export interface SeasonalShape {
  /** Series of the group. */
  readonly series: number;
  /** Log seasonal effects by calendar month, January first, of each series of a sample. Absent in what releases before 0.15.0 stored. */
  readonly effects?: readonly (readonly number[])[];
  /**
   * Mean square of the changes from one month to the next that are left when a series' own season is taken out, in units of its mean
   * month; that of the median series. Absent in what releases before 0.15.0 stored.
   */
  readonly noise?: number;
  /** Share of the series that have the season of some of the others. Absent in what releases before 0.16.0 stored. */
  readonly seasonalShare?: number;
  /** The group's common factors by calendar month, in what releases before 0.15.0 stored. */
  readonly factors?: readonly number[];
}

/** The season of a short history, inferred from its months and the seasons of other series. */
export interface BorrowedSeason {
  /** Probability that the history has the season of some of the others, and not none. */
  readonly probability: number;
  /** By calendar month, January first, over the mean of the known months' logarithms. */
  readonly factors: Float64Array;
  /** Nine quantiles of a month's factor over the one in `factors`, as logarithms: 12 rows of 9. */
  readonly strays: Float64Array;
}

/** Changes from month to month, in units of the mean month. */
interface Roughness {
  readonly squares: number;
  readonly changes: number;
}

/** Months that the noise of the other series counts for beside that of the history itself; 1 and 4 are as good. */
const NOISE_MONTHS = 2;
/**
 * Variance of a change in a young item over the noise of the others, and what is added to it: their seasons are estimates, and first months
 * are unsteady. Without both, items that have no season and two months were taken for seasonal ones (simulated: error .10 to .29 of
 * the mean month; .10 with them). With .2 in place of .1, retail turnover loses a third of what it gains.
 */
const NOISE_FACTOR = 2;
const LAUNCH_NOISE = 0.1 ** 2;
/** Noise of series of which none is known: a fifth from month to month. */
const USUAL_NOISE = 0.2 ** 2;
/**
 * A new item has one of the known seasons with the share of series that do, but never more: it may be of another kind than all that are known.
 * Simulated in a workspace of garden goods alone, two months known: without this bound an item without season errs by 1.02 of its mean
 * month, by .80 with it and .57 with .75, where a garden item errs by .10, .11 and .17.
 */
const MAX_SHARE = 0.9;
/** Probability of a season where nothing is known of it. */
const EVEN = 0.5;
/** Share of the largest weight below which a season is left out. */
const NEGLIGIBLE = 1e-4;

/**
 * Infers the season of a short history (`history`: one observed month or more, its mean above zero) from those of other series: a month's
 * factor is the weighted median of theirs, its strays their weighted quantiles, with the weights of {@link fitSeasons}. Null where no
 * other season is known.
 * @param except position in the shape's sample of a season that is not to be used
 */
export function borrowSeason(shape: SeasonalShape, history: MonthlyDemand, except = -1): BorrowedSeason | null {
  const fit = fitSeasons(shape, history, except);
  if (fit === null) return null;
  const { probability, seasons, weights, months } = fit;
  return { probability, ...weightedSeasons(seasons, weights, knownMonths(history.values, months)) };
}

/** Probability that a history has the season of some of the other series, as of {@link borrowSeason}. */
export function seasonProbability(shape: SeasonalShape, history: MonthlyDemand, except: number): number | null {
  return fitSeasons(shape, history, except)?.probability ?? null;
}

/** How well the seasons of other series fit a history. */
interface FittedSeasons {
  readonly seasons: readonly (readonly number[])[];
  /** Likelihood of each season over that of the likeliest. */
  readonly weights: readonly number[];
  readonly probability: number;
  /** Calendar months of the history, January 0. */
  readonly months: Int8Array;
}

/**
 * Each season counts as much as the history's months become smooth without it. The changes from month to month that are left are normal,
 * of a variance around the noise of the others (Bayes' rule with an inverse gamma prior; of analogues in forecasting: Duncan, Gorr &
 * Szczypula 2001). The probability compares the mean likelihood over the seasons with that of no season; beforehand, it is the share of
 * the others that have a season in common, and even from a year on, where what the history is compared with is its own season.
 */
function fitSeasons(shape: SeasonalShape, { values, startMonth }: MonthlyDemand, except: number): FittedSeasons | null {
  const effects = shape.effects ?? (shape.factors ? [shape.factors.map(Math.log)] : []);
  const seasons = except < 0 ? effects : effects.filter((_, i) => i !== except);
  if (seasons.length === 0 || shape.series === 0) return null;
  const months = Int8Array.from(values, (_, t) => calendarMonth(startMonth + t));
  const share = countObserved(values) < SHORT_BELOW ? Math.min(MAX_SHARE, shape.seasonalShare ?? EVEN) : EVEN;
  const noise = NOISE_FACTOR * (shape.noise ?? USUAL_NOISE) + LAUNCH_NOISE;
  const logLikelihood = (season: readonly number[] | null): number => {
    const { squares, changes } = roughnessOf(
      season ? values.map((v, t) => v * Math.exp(-season[months[t]!]!)) : values,
    );
    return (-(NOISE_MONTHS + changes) / 2) * Math.log(NOISE_MONTHS * noise + squares);
  };
  const likelihoods = seasons.map(logLikelihood);
  const largest = Math.max(...likelihoods);
  const weights = likelihoods.map((likelihood) => Math.exp(likelihood - largest));
  const evidence = largest + Math.log(sumOf(weights) / weights.length) - logLikelihood(null);
  return { seasons, weights, months, probability: 1 / (1 + Math.exp(-evidence - Math.log(share / (1 - share)))) };
}

/** Roughness of a history: the changes from each observed month to the next observed one, over any months that are missing (NaN) between them. */
export function roughnessOf(values: Float64Array): Roughness {
  const mean = meanObserved(values);
  let [last, squares, changes] = [NaN, 0, 0];
  for (const value of values) {
    if (Number.isNaN(value)) continue;
    if (!Number.isNaN(last)) {
      squares += ((value - last) / mean) ** 2; // no square of demand itself, which overflows
      changes++;
    }
    last = value;
  }
  return { squares: Number.isFinite(squares) ? squares : 0, changes }; // a mean near the smallest number there is may be 0
}

/** Share of the observed months by calendar month. */
function knownMonths(values: Float64Array, months: Int8Array): Float64Array {
  const shares = new Float64Array(SEASON);
  values.forEach((value, t) => {
    if (!Number.isNaN(value)) shares[months[t]!]!++;
  });
  const observed = sumOf(shares);
  return shares.map((count) => count / observed);
}

/** Weighted medians of the seasons, each over its mean in the known months, and their quantiles around them. */
function weightedSeasons(
  seasons: readonly (readonly number[])[],
  weights: readonly number[],
  known: Float64Array,
): Pick<BorrowedSeason, 'factors' | 'strays'> {
  const used = seasons
    .map((season, d) => ({
      season,
      weight: weights[d]!,
      level: season.reduce((sum, effect, m) => sum + known[m]! * effect, 0),
    }))
    .filter(({ weight }) => weight > NEGLIGIBLE);
  const total = used.reduce((sum, { weight }) => sum + weight, 0);
  const factors = new Float64Array(SEASON);
  const strays = new Float64Array(SEASON * LEVELS);
  for (let m = 0; m < SEASON; m++) {
    const effects = used
      .map(({ season, weight, level }) => ({ effect: season[m]! - level, weight: weight / total }))
      .sort((a, b) => a.effect - b.effect);
    const quantiles = weightedQuantiles(effects);
    const middle = quantiles[MEDIAN]!;
    factors[m] = Math.exp(middle);
    quantiles.forEach((effect, j) => (strays[m * LEVELS + j] = effect - middle));
  }
  return { factors, strays };
}

/** The nine quantiles of ascending effects: each is the first whose weight, half of its own included, reaches the level. */
function weightedQuantiles(effects: readonly { readonly effect: number; readonly weight: number }[]): number[] {
  let i = 0;
  let below = 0;
  return Array.from(QUANTILE_LEVELS, (level) => {
    while (i < effects.length - 1 && below + effects[i]!.weight / 2 < level) below += effects[i++]!.weight;
    return effects[i]!.effect;
  });
}
