import { calendarMonth } from '../calendar.js';
import { median, sampleQuantile } from '../../numeric/sample-quantile.js';
import { NORMAL_QUANTILES } from '../quantiles/normal-quantiles.js';
import { thirdOf } from '../combination/calibration.js';
import { QUANTILE_LEVELS, SEASON, type MonthNumber } from '../types.js';

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
