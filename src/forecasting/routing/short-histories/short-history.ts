import { calendarMonth } from '../../calendar.js';
import { averageForecasts } from '../../combination/average.js';
import { applyCalibration } from '../../combination/calibration.js';
import { forecastMembers, type MemberTask } from '../../combination/members.js';
import { NO_GAINS, weightsFor } from '../../combination/weights.js';
import { rescaleMonth } from '../../methods/rescale.js';
import { countObserved } from '../../missing.js';
import { LEVELS, MEDIAN, type MonthlyDemand, type QuantileForecast } from '../../types.js';
import type { BorrowedSeason } from './borrowed-season.js';
import { SHORT_BELOW } from '../classify.js';
import { recentLevel, towardLevel } from './recent-level.js';

/**
 * Factors on the deviations from the median for up to 24 observed months, where the average of the members is too narrow.
 *
 * Under 8 months: the network has seen no history of less than a year, and q10 to q90 covers 44 to 83 % on training origins of
 * eleven sets cut to 4 to 7 months; scores in docs/engine-short-histories.md. From 8 to 12 months any factor loses.
 *
 * From 13: chosen on training origins of m3 and hospital, histories cut to 13, 18 and 24 months: with 1.07, q10 to q90 covers 79 and
 * 81 %, against 76.7 and 78.9, and the quantile loss rises by .1 %. At 13 months 1.12 comes closer to 80 % than 1.07 over 12
 * origins, at 18 it does not, at 24 both are alike. From 25 months on the calibration is enough.
 */
const SPREAD_FACTORS = [
  { below: 5, factor: 1.25 },
  { below: 6, factor: 1.15 },
  { below: 8, factor: 1.08 },
  { below: SHORT_BELOW, factor: 1 },
  { below: 16, factor: 1.12 },
  { below: 25, factor: 1.07 },
] as const;

/** Factor on the deviations from the median at so many observed months ({@link SPREAD_FACTORS}); 1 from 25 on. */
export function spreadFactor(observed: number): number {
  return SPREAD_FACTORS.find(({ below }) => observed < below)?.factor ?? 1;
}

/**
 * Forecasts of a history of less than two years, of which four months or more are observed, by the weight of its recent level. The
 * members forecast it twice, once for all weights: as it is, and without the borrowed season, which is put back. The second forecast is
 * widened by the uncertainty of the season, and its weight in the average is the probability of the season. Both are moved toward the
 * recent level of what they forecast, by `levelWeight` of the way.
 */
export function shortForecaster(
  history: MonthlyDemand,
  season: BorrowedSeason | null,
  task: MemberTask,
): (levelWeight: number) => QuantileForecast {
  const { values, startMonth } = history;
  const observed = countObserved(values);
  const weights = weightsFor(observed, NO_GAINS);
  const forecasterOf = (known: Float64Array): ((levelWeight: number) => QuantileForecast) => {
    const forecast = averageForecasts(forecastMembers({ ...task, values: known, startMonth }, weights), weights);
    const level = recentLevel(known);
    return (levelWeight) => towardLevel(forecast, level, levelWeight);
  };
  const asItIs = forecasterOf(values);
  const seasonless = season && forecasterOf(values.map((v, t) => v / season.factors[calendarMonth(startMonth + t)]!));
  const factor = spreadFactor(observed);
  return (levelWeight) => {
    const known = asItIs(levelWeight);
    const combined = season ? withSeason(history, known, seasonless!(levelWeight), season) : known;
    applyCalibration(combined, [factor, factor, factor], task.horizon);
    return combined;
  };
}

/** The forecast of the history as it is, averaged with that of the history without the season, which is put back. */
function withSeason(
  { values, startMonth }: MonthlyDemand,
  asItIs: QuantileForecast,
  seasonless: QuantileForecast,
  season: BorrowedSeason,
): QuantileForecast {
  for (let k = 0; k < seasonless.mean.length; k++) {
    const month = calendarMonth(startMonth + values.length + k);
    widen(seasonless.quantiles, k * LEVELS, season.strays.subarray(month * LEVELS, (month + 1) * LEVELS));
    rescaleMonth(seasonless, k, season.factors[month]!, 0);
  }
  return averageForecasts([asItIs, seasonless], [1 - season.probability, season.probability]);
}

/** Adds the strays of a month's factor to the deviations of its quantiles, which start at `from`, as if both were independent and normal. */
function widen(quantiles: Float64Array, from: number, strays: Float64Array): void {
  const middle = quantiles[from + MEDIAN]!;
  for (let j = 0; j < LEVELS; j++) {
    const deviation = Math.hypot(quantiles[from + j]! - middle, middle * Math.expm1(strays[j]!));
    quantiles[from + j] = j < MEDIAN ? middle - deviation : middle + deviation;
  }
}
