import type { CalendarPrior } from '../../calendar-regression/calendar-prior.js';
import { priorWithoutShared } from '../../calendar-regression/shared-effects.js';
import { type Calibration, type CalibrationCase, learnCalibration, thirdOf } from '../../combination/calibration.js';
import type { MemberTask } from '../../combination/members.js';
import { errorScale } from '../../evaluation/naive-scale.js';
import { systematicSample } from '../../history.js';
import { NORMAL_QUANTILES } from '../../quantiles/normal-quantiles.js';
import { sampleQuantile } from '../../../numeric/sample-quantile.js';
import { LEVELS, QUANTILE_LEVELS, SEASON, type MonthlyDemand } from '../../types.js';
import { classifyDemand, SHORT_BELOW } from '../classify.js';
import { expectedDemand } from './new-item.js';
import { learnLevelWeight, type LevelCase } from './recent-level.js';
import type { PooledShapes, ShapeDonor } from './seasonal-shapes.js';
import { shortForecaster } from './short-history.js';

/** How far demand strays from the forecasts of short histories, and how near it stays to its level, measured on longer series of the workspace that are cut short. */
export interface ShortSpreads {
  /**
   * Quantiles of the ratio of a month to what is expected of a new item, by its observed months (1, 2, 3) and by third of a year ahead:
   * rows of 9, three of them for each number of months.
   */
  readonly ratios: readonly (readonly number[])[];
  /** Factors on the deviations of forecasts from their medians, by third of a year ahead, for under and from 6 months. */
  readonly calibrations: readonly Calibration[];
  /** Weight of the recent level in the forecasts for 8 months. */
  readonly levelWeight: number;
}

/**
 * Histories of less than a year by observed months, and the months to which donors are cut for each group. From 13 months on a
 * calibration gains nothing.
 */
const UNDER_SIX = { below: 6, cut: 4 } as const;
const UNDER_A_YEAR = { below: SHORT_BELOW, cut: 8 } as const;
/** Series that are cut to short histories. */
const SAMPLE = 60;
/** Months before their end at which they are cut. The year after starts in each quarter once, since some calendar months are more informative than others. */
const ORIGINS = [12, 15, 18, 21] as const;
/** Fewest ratios of a third of a year that its spread is estimated from. */
const MIN_SAMPLE = 5 * SEASON * ORIGINS.length;
/** Spread of the ratios where there are too few: a factor of about two either way at 10 and 90 %. */
const DEFAULT_LOG_SPREAD = 0.55;
const DEFAULT_RATIOS = Array.from({ length: 3 * LEVELS }, (_, i) =>
  Math.exp(DEFAULT_LOG_SPREAD * NORMAL_QUANTILES[i % LEVELS]!),
);

/**
 * Learns the spreads from donors that are cut to short histories. Like a new item they borrow the season of the other series: with their
 * own season they would err less.
 */
export function learnShortSpreads(
  donors: readonly ShapeDonor[],
  { seasonWithout }: PooledShapes,
  calendar: CalendarPrior,
  seed: number,
): ShortSpreads {
  const sample = systematicSample(donors, SAMPLE);
  // as a short history is forecast: the donors come without the effects that the workspace shares
  const task = { prior: priorWithoutShared(calendar), horizon: SEASON, seed };
  const forecastsOf = (months: number): CutForecast[] => forecastCuts(cutDonors(sample, months), seasonWithout, task);
  const eightMonths = forecastsOf(UNDER_A_YEAR.cut);
  const levelWeight = learnLevelWeight(eightMonths);
  return {
    ratios: [1, 2, 3].map((months) => levelRatios(cutDonors(sample, months), seasonWithout)),
    calibrations: [calibrate(forecastsOf(UNDER_SIX.cut), 0), calibrate(eightMonths, levelWeight)],
    levelWeight,
  };
}

/** The ratios of a new item of so many observed months. */
export function ratiosFor(spreads: ShortSpreads | undefined, observed: number): readonly number[] {
  return spreads?.ratios[observed - 1] ?? DEFAULT_RATIOS;
}

/** The calibration of a history of so many observed months; undefined from 13 on. */
export function shortCalibration(spreads: ShortSpreads | undefined, observed: number): Calibration | undefined {
  return spreads?.calibrations[[UNDER_SIX, UNDER_A_YEAR].findIndex(({ below }) => observed < below)];
}

/**
 * The weight of the recent level for a history of so many observed months. Under six it is 0: there the level loses 1 % on employment at
 * three origins, and up to 7 % on simulated launches that rise or fall. From the length at which it is learned it fades, to a fifth at 12
 * months and 0 at 13, since a year shows a season. At 12 months all of it loses .9 % on prescriptions and .6 % on arrivals.
 */
export function levelWeightFor(spreads: ShortSpreads | undefined, observed: number): number {
  if (!spreads || observed < UNDER_SIX.below || observed >= SHORT_BELOW) return 0;
  return spreads.levelWeight * Math.min(1, (SHORT_BELOW - observed) / (SHORT_BELOW - UNDER_A_YEAR.cut));
}

/** A donor as a short history at an earlier origin, and what then happened. */
interface CutDonor {
  readonly donor: ShapeDonor;
  readonly window: number;
  readonly known: MonthlyDemand;
  readonly actual: Float64Array;
}

function cutDonors(donors: readonly ShapeDonor[], months: number): CutDonor[] {
  return donors.flatMap((donor) => {
    const { values, startMonth } = donor;
    return ORIGINS.flatMap((before, window) => {
      const origin = values.length - before;
      const from = origin - months;
      if (from < 0) return [];
      const known = { startMonth: startMonth + from, values: values.subarray(from, origin) };
      const { observed, countShare } = classifyDemand(known.values);
      // with a gap fewer months are known than the length says, and counts have a model of their own
      if (observed < months || countShare > 0) return [];
      return [{ donor, window, known, actual: values.subarray(origin, origin + SEASON) }];
    });
  });
}

function levelRatios(cuts: readonly CutDonor[], seasonWithout: PooledShapes['seasonWithout']): number[] {
  const samples: number[][] = [[], [], []];
  for (const { donor, known, actual } of cuts) {
    const expected = expectedDemand(known, seasonWithout(donor, known), SEASON);
    actual.forEach((value, k) => {
      const ratio = value / expected[k]!;
      if (Number.isFinite(ratio)) samples[thirdOf(k, SEASON)]!.push(ratio);
    });
  }
  return samples.flatMap((sample, third) =>
    sample.length < MIN_SAMPLE
      ? DEFAULT_RATIOS.slice(third * LEVELS, (third + 1) * LEVELS)
      : Array.from(QUANTILE_LEVELS, (level) => Math.max(0, sampleQuantile(sample, level))),
  );
}

/** A cut donor and its forecasts. */
type CutForecast = LevelCase & Omit<CalibrationCase, 'forecast'>;

function forecastCuts(
  cuts: readonly CutDonor[],
  seasonWithout: PooledShapes['seasonWithout'],
  task: MemberTask,
): CutForecast[] {
  return cuts.map(({ donor, window, known, actual }) => ({
    window,
    months: known.values.length,
    forecastBy: shortForecaster(known, seasonWithout(donor, known), task),
    actual,
    scale: errorScale(donor.values),
  }));
}

/** The calibration of forecasts with that weight of the recent level. */
function calibrate(cases: readonly CutForecast[], levelWeight: number): Calibration {
  return learnCalibration(
    cases.map((one) => ({ ...one, forecast: one.forecastBy(levelWeight) })),
    SEASON,
  );
}
