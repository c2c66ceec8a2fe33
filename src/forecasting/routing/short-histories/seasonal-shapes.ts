import { sumOf } from '../../../numeric/sum.js';
import { calendarMonth } from '../../calendar.js';
import { systematicSample } from '../../history.js';
import { median } from '../../../numeric/sample-quantile.js';
import type { MonthlyDemand } from '../../types.js';
import {
  borrowSeason,
  type BorrowedSeason,
  roughnessOf,
  type SeasonalShape,
  seasonProbability,
} from './borrowed-season.js';

/** What new items borrow from the workspace. */
export interface BorrowedShapes {
  readonly workspace: SeasonalShape;
  readonly categories: Readonly<Record<string, SeasonalShape>>;
}

/**
 * One donor: a series with two years or more of positive demand, without the working days and holidays that the workspace shares, as a young
 * item is forecast.
 */
export interface ShapeDonor extends MonthlyDemand {
  readonly category: string | undefined;
  /** Log seasonal effects by calendar month. */
  readonly seasonal: Float64Array;
}

/** The seasons of a workspace, and what each donor would borrow if the workspace did not know it. */
export interface PooledShapes {
  readonly shapes: BorrowedShapes;
  /** The season that `known`, a part of the donor's history, borrows from the other series; null where too few are known. */
  readonly seasonWithout: (donor: ShapeDonor, known: MonthlyDemand) => BorrowedSeason | null;
}

/** A category's shape counts from this many series; smaller ones use the workspace's. */
const MIN_GROUP = 5;
/** Series of a group whose seasons are kept: twelve numbers of each are stored with a run. 120 lose .9 % on tourism, else 0 to .3 %. */
const MAX_SAMPLE = 240;
/** Donors that the share of seasonal ones is estimated from. */
const SHARE_SAMPLE = 60;
/** Last months of a donor by which its noise, and whether it has a season of the others, are estimated. */
const RECENT_MONTHS = 36;
/** Effects are kept to a ten-thousandth. */
const PRECISION = 1e4;

/** Pools the seasons of a workspace and of its categories. */
export function poolShapes(donors: readonly ShapeDonor[]): PooledShapes {
  const samples = new Map<SeasonalShape, readonly ShapeDonor[]>();
  const pool = (group: readonly ShapeDonor[]): SeasonalShape => {
    if (group.length < MIN_GROUP) return { series: 0 };
    const sample = systematicSample(group, MAX_SAMPLE);
    const seasons = {
      series: group.length,
      effects: sample.map(({ seasonal }) =>
        Array.from(seasonal, (effect) => Math.round(effect * PRECISION) / PRECISION),
      ),
      noise: median(sample.map(noiseOf)),
    };
    const shape = { ...seasons, seasonalShare: seasonalShareOf(seasons, sample) };
    samples.set(shape, sample);
    return shape;
  };
  const categories: Record<string, SeasonalShape> = {};
  for (const [category, group] of Map.groupBy(donors, (donor) => donor.category)) {
    if (category !== undefined && group.length >= MIN_GROUP) categories[category] = pool(group);
  }
  const shapes = { workspace: pool(donors), categories };
  const seasonWithout = (donor: ShapeDonor, known: MonthlyDemand): BorrowedSeason | null => {
    const shape = borrowedShape(shapes, donor.category);
    return borrowSeason(shape, known, samples.get(shape)?.indexOf(donor));
  };
  return { shapes, seasonWithout };
}

/** The shape that a series of `category` borrows from: its category's, else the workspace's. */
export function borrowedShape(shapes: BorrowedShapes, category: string | undefined): SeasonalShape {
  // a category may be called constructor
  const own = category !== undefined && Object.hasOwn(shapes.categories, category);
  return own ? shapes.categories[category]! : shapes.workspace;
}

/**
 * Share of the donors that have the season of some of the others: each with its probability over its last months, at even odds beforehand, beside
 * one donor that has and one that has not (Laplace's rule of succession).
 */
function seasonalShareOf(shape: SeasonalShape, donors: readonly ShapeDonor[]): number {
  const probabilities = systematicSample(donors, SHARE_SAMPLE).map((donor) =>
    seasonProbability(shape, recentMonths(donor), donors.indexOf(donor))!,
  );
  return (1 + sumOf(probabilities)) / (2 + probabilities.length);
}

function noiseOf(donor: ShapeDonor): number {
  const { values, startMonth } = recentMonths(donor);
  const { squares, changes } = roughnessOf(
    values.map((value, t) => value * Math.exp(-donor.seasonal[calendarMonth(startMonth + t)]!)),
  );
  return changes > 0 ? squares / changes : 0;
}

function recentMonths({ values, startMonth }: ShapeDonor): MonthlyDemand {
  const from = Math.max(0, values.length - RECENT_MONTHS);
  return { values: values.subarray(from), startMonth: startMonth + from };
}
