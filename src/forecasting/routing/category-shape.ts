import { calendarMonth } from '../calendar.js';
import { emptyForecast } from '../methods/forecaster.js';
import { rescaleMonth } from '../methods/rescale.js';
import { meanObserved } from '../missing.js';
import { median, sampleQuantile } from '../../numeric/sample-quantile.js';
import { NORMAL_QUANTILES } from '../quantiles/normal-quantiles.js';
import { averageForecasts } from '../combination/average.js';
import { applyCalibration, thirdOf } from '../combination/calibration.js';
import {
  LEVELS,
  QUANTILE_LEVELS,
  SEASON,
  type DemandHistory,
  type MonthNumber,
  type QuantileForecast,
} from '../types.js';

/** Seasonal pattern of a group of series, free of their levels. */
export interface SeasonalShape {
  /** Factors by calendar month, January first, with geometric mean 1. */
  readonly factors: readonly number[];
  /** Series it was taken from. */
  readonly series: number;
  /**
   * Chance that another series has it, below 1: the correlation of these series' effects with it, times n/(n + 1) for n of them
   * (rule of succession). Absent in what earlier versions stored.
   */
  readonly agreement?: number;
}

/** What new items borrow from the workspace. */
export interface BorrowedShapes {
  readonly workspace: SeasonalShape;
  readonly categories: Readonly<Record<string, SeasonalShape>>;
  /**
   * How far demand strays from the level of a new item, in quantiles of the ratio of a month to the mean of the three before the
   * origin, all without the season that the series would borrow, by third of a year ahead: 3 rows of 9.
   */
  readonly ratios: readonly number[];
}

/** One donor: a series with two years or more of positive demand. */
export interface ShapeDonor {
  readonly category: string | undefined;
  /** Log seasonal effects by calendar month. */
  readonly seasonal: Float64Array;
  /** Its history as it is, of which the first month is `startMonth`. */
  readonly values: Float64Array;
  readonly startMonth: MonthNumber;
}

/** A category's shape counts from this many series; smaller ones use the workspace's. */
const SMALLEST_GROUP = 5;
/** Months that form the level of a new item: fewer than four are known. */
const LEVEL_MONTHS = 3;
/** Months before the end of a donor at which its level is taken: a year starts in each quarter, since demand of one month says more than that of another. */
const LEVEL_ORIGINS = [12, 15, 18, 21] as const;
/** Spread of the ratios where no donor can tell: a factor of about two either way at 10 and 90 %. */
const DEFAULT_LOG_SPREAD = 0.55;
/** Change from one month to the next, as a share of the mean month, that means nothing. */
const SMALLEST_CHANGE = 0.02;
const FLAT: SeasonalShape = { factors: new Array<number>(SEASON).fill(1), series: 0 };

/** Pools the seasonal shapes of a workspace (median effect by month, robust to single odd series) and the spread around a level. */
export function poolShapes(donors: readonly ShapeDonor[]): BorrowedShapes {
  const categories: Record<string, SeasonalShape> = {};
  for (const [category, group] of Map.groupBy(donors, (donor) => donor.category)) {
    if (category !== undefined && group.length >= SMALLEST_GROUP) categories[category] = shapeOf(group);
  }
  const shapes = { workspace: shapeOf(donors), categories };
  return { ...shapes, ratios: levelRatios(donors, shapes) };
}

function shapeOf(donors: readonly ShapeDonor[]): SeasonalShape {
  if (donors.length < SMALLEST_GROUP) return FLAT;
  const effects = Float64Array.from({ length: SEASON }, (_, month) => median(donors.map((d) => d.seasonal[month]!)));
  const mean = effects.reduce((sum, effect) => sum + effect, 0) / SEASON;
  return {
    factors: Array.from(effects, (effect) => Math.exp(effect - mean)),
    series: donors.length,
    agreement: agreementOn(effects, donors),
  };
}

/** See {@link SeasonalShape.agreement}. The correlation is the root of the share of the squared effects that the common ones explain. */
function agreementOn(common: Float64Array, donors: readonly ShapeDonor[]): number {
  let [apart, total] = [0, 0];
  for (const { seasonal } of donors) {
    seasonal.forEach((effect, month) => {
      apart += (effect - common[month]!) ** 2;
      total += effect ** 2;
    });
  }
  const correlation = total > 0 ? Math.sqrt(Math.max(0, 1 - apart / total)) : 0;
  return (correlation * donors.length) / (donors.length + 1);
}

/**
 * A donor errs as a new item does: it has the borrowed season taken out, not its own, of which a new item shows nothing. Of series
 * cut to their last three months, 32 to 82 % lay between q10 and q90 with the donors' own seasons, 65 to 84 % do with the borrowed
 * one (docs/engine.md).
 */
function levelRatios(donors: readonly ShapeDonor[], shapes: Omit<BorrowedShapes, 'ratios'>): number[] {
  const samples: number[][] = [[], [], []];
  for (const { category, values, startMonth } of donors) {
    const { factors } = borrowedShape(shapes, category);
    const levels = values.map((value, t) => value / factors[calendarMonth(startMonth + t)]!);
    for (const before of LEVEL_ORIGINS) {
      const origin = levels.length - before;
      if (origin < LEVEL_MONTHS) continue;
      const known = levels.subarray(origin - LEVEL_MONTHS, origin);
      const level = known.reduce((sum, month) => sum + month / LEVEL_MONTHS, 0);
      if (!(level > 0)) continue;
      for (let k = 0; k < SEASON; k++) {
        const ratio = levels[origin + k]! / level;
        if (Number.isFinite(ratio)) samples[thirdOf(k, SEASON)]!.push(ratio);
      }
    }
  }
  return samples.flatMap((sample) =>
    Array.from(QUANTILE_LEVELS, (level, j) =>
      sample.length < SMALLEST_GROUP * SEASON * LEVEL_ORIGINS.length
        ? Math.exp(DEFAULT_LOG_SPREAD * NORMAL_QUANTILES[j]!)
        : Math.max(0, sampleQuantile(sample, level)),
    ),
  );
}

/** The shape that a series of `category` borrows: its category's, else the workspace's. */
export function borrowedShape(shapes: Omit<BorrowedShapes, 'ratios'>, category: string | undefined): SeasonalShape {
  // a category may be called constructor
  const own = category !== undefined && Object.hasOwn(shapes.categories, category);
  return own ? shapes.categories[category]! : shapes.workspace;
}

/**
 * Forecast of a history of less than a year: `forecast` of the history as it is, averaged with that of the history without the
 * borrowed season, which is put back. The second counts with the probability that the history has this season: as far as the series
 * that it comes from agree on it, times what the history's own months say. Of these alone, less than a year, no method can tell
 * season from trend. `spread` is a factor on the deviations of the first from its median.
 */
export function forecastWithShape(
  { values, startMonth }: DemandHistory,
  shape: SeasonalShape,
  forecast: (values: Float64Array) => QuantileForecast,
  spread = 1,
): QuantileForecast {
  const asItIs = forecast(values);
  applyCalibration(asItIs, [spread, spread, spread], asItIs.mean.length);
  if (!shape.agreement) return asItIs;
  const factorOf = (t: number): number => shape.factors[calendarMonth(startMonth + t)]!;
  const deseasonalised = values.map((value, t) => value / factorOf(t));
  const probability = probabilityOf(shape.agreement, roughness(deseasonalised), roughness(values));
  const adjusted = forecast(deseasonalised);
  for (let k = 0; k < adjusted.mean.length; k++) rescaleMonth(adjusted, k, factorOf(values.length + k), 0);
  return averageForecasts([asItIs, adjusted], [1 - probability, probability]);
}

/** Changes from month to month, in units of the mean month. */
interface Roughness {
  readonly squares: number;
  readonly changes: number;
}

function roughness(values: Float64Array): Roughness {
  const mean = meanObserved(values);
  let [squares, changes] = [0, 0];
  for (let t = 1; t < values.length; t++) {
    const change = (values[t]! - values[t - 1]!) / mean;
    if (Number.isNaN(change)) continue;
    squares += change ** 2;
    changes++;
  }
  return { squares, changes };
}

/**
 * Posterior probability of the season: the changes from month to month are normal of an unknown variance, of the deseasonalised
 * history if it has the season, else of the history as it is (Bayesian model averaging: Hoeting et al. 1999).
 */
function probabilityOf(prior: number, deseasonalised: Roughness, asItIs: Roughness): number {
  const least = SMALLEST_CHANGE ** 2 * asItIs.changes;
  const ratio = (deseasonalised.squares + least) / (asItIs.squares + least);
  const odds = (prior / (1 - prior)) * ratio ** (-asItIs.changes / 2);
  return odds / (1 + odds);
}

/**
 * Forecast of a new item: the mean of its few deseasonalised months is its level, the borrowed shape its season, and the
 * pooled ratios its spread, which widens with the thirds of a year ahead. At least one month must be observed.
 */
export function forecastFromShape(
  { values, startMonth }: DemandHistory,
  shape: SeasonalShape,
  ratios: readonly number[],
  horizon: number,
): QuantileForecast {
  let level = 0;
  let observed = 0;
  values.forEach((value, t) => {
    if (Number.isNaN(value)) return;
    level += Math.max(0, value) / shape.factors[calendarMonth(startMonth + t)]!;
    observed++;
  });
  level /= observed;
  const forecast = emptyForecast(horizon);
  for (let k = 0; k < horizon; k++) {
    const expected = level * shape.factors[calendarMonth(startMonth + values.length + k)]!;
    const third = thirdOf(k, SEASON);
    let mean = 0;
    for (let j = 0; j < LEVELS; j++) {
      const ratio = ratios[third * LEVELS + j]!;
      forecast.quantiles[k * LEVELS + j] = expected * ratio;
      mean += ratio / LEVELS;
    }
    forecast.mean[k] = expected * mean;
  }
  return forecast;
}
