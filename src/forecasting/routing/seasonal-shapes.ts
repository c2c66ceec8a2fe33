import { calendarMonth } from '../calendar.js';
import { systematicSample } from '../history.js';
import { median } from '../../numeric/sample-quantile.js';
import type { DemandHistory, MonthNumber } from '../types.js';
import { borrowSeason, type BorrowedSeason, roughnessOf, type SeasonalShape } from './borrowed-season.js';

/** What new items borrow from the workspace. */
export interface BorrowedShapes {
  readonly workspace: SeasonalShape;
  readonly categories: Readonly<Record<string, SeasonalShape>>;
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

/** The seasons of a workspace, and what each donor would borrow if the workspace did not know it. */
export interface PooledShapes {
  readonly shapes: BorrowedShapes;
  /** The season that `known`, a part of the donor's history, borrows from the other series; null where too few are known. */
  readonly seasonWithout: (donor: ShapeDonor, known: DemandHistory) => BorrowedSeason | null;
}

/** A category's shape counts from this many series; smaller ones use the workspace's. */
const SMALLEST_GROUP = 5;
/** Series of a group whose seasons are kept: twelve numbers of each are stored with a run. 120 lose .9 % on tourism, else 0 to .3 %. */
const LARGEST_SAMPLE = 240;
/** Last months of a donor that its noise is told from. */
const RECENT_MONTHS = 36;
/** Effects are kept to a ten-thousandth. */
const PRECISION = 1e4;

/** Pools the seasons of a workspace and of its categories. */
export function poolShapes(donors: readonly ShapeDonor[]): PooledShapes {
  const samples = new Map<SeasonalShape, readonly ShapeDonor[]>();
  const pool = (group: readonly ShapeDonor[]): SeasonalShape => {
    if (group.length < SMALLEST_GROUP) return { series: 0 };
    const sample = systematicSample(group, LARGEST_SAMPLE);
    const shape = {
      series: group.length,
      effects: sample.map(({ seasonal }) =>
        Array.from(seasonal, (effect) => Math.round(effect * PRECISION) / PRECISION),
      ),
      noise: median(sample.map(noiseOf)),
    };
    samples.set(shape, sample);
    return shape;
  };
  const categories: Record<string, SeasonalShape> = {};
  for (const [category, group] of Map.groupBy(donors, (donor) => donor.category)) {
    if (category !== undefined && group.length >= SMALLEST_GROUP) categories[category] = pool(group);
  }
  const shapes = { workspace: pool(donors), categories };
  const seasonWithout = (donor: ShapeDonor, known: DemandHistory): BorrowedSeason | null => {
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

function noiseOf({ values, seasonal, startMonth }: ShapeDonor): number {
  const from = Math.max(0, values.length - RECENT_MONTHS);
  const { squares, changes } = roughnessOf(
    values.subarray(from).map((value, t) => value * Math.exp(-seasonal[calendarMonth(startMonth + from + t)]!)),
  );
  return changes > 0 ? squares / changes : 0;
}
