import { LEVELS, MEDIAN, QUANTILE_LEVELS, SEASON, type QuantileForecast } from '../../src/forecasting/index.js';
import { createRandom } from '../../src/forecasting/numeric/random.js';
import { naive2 } from './naive2.js';

/** Scores of one method on one set. */
export interface SetScores {
  readonly series: number;
  /** Mean over series of mean absolute error / in-sample error of the seasonal naive; point forecast = median. */
  readonly mase: number;
  /** The same with the mean as point forecast. */
  readonly mase_of_mean: number;
  /** Overall weighted average of the M4 competition from the median: mean of relative sMAPE and relative MASE against Naive2. */
  readonly owa: number;
  /** Mean over levels .1 .. .9 of twice the pinball loss summed over the set / sum of |demand|. */
  readonly wql9: number;
  /** Share of months within the 10 % and 90 % quantiles. */
  readonly coverage: number;
  /** The same for each third of the horizon. */
  readonly coverage_by_third: readonly number[];
  /** Share of randomised probability integral transforms between .1 and .9: coverage that is comparable for counts. */
  readonly pit_coverage: number;
}

export interface ScoredSeries {
  readonly id: string;
  readonly history: Float64Array;
  readonly actual: Float64Array;
  readonly forecast: QuantileForecast;
}

/** Seed of the randomised transforms. */
const PIT_SEED = 20240611;

/** Scores forecasts against the held-out months. A series whose seasonal naive is exact in sample counts for all but MASE and OWA. */
export function scoreSet(cases: readonly ScoredSeries[]): SetScores {
  const random = createRandom(PIT_SEED);
  const total = { mase: 0, maseOfMean: 0, scaled: 0, smape: 0, naiveMase: 0, naiveSmape: 0 };
  let loss = 0;
  let demand = 0;
  let pit = 0;
  const inside = [0, 0, 0];
  const months = [0, 0, 0];
  for (const { history, actual, forecast } of cases) {
    const { mean, quantiles } = forecast;
    const benchmark = naive2(history, actual.length);
    const scale = seasonalNaiveError(history);
    let medianError = 0;
    let meanError = 0;
    let naiveError = 0;
    let smape = 0;
    let naiveSmape = 0;
    const n = actual.length;
    for (let k = 0; k < n; k++) {
      const y = actual[k]!;
      const row = quantiles.subarray(k * LEVELS, (k + 1) * LEVELS);
      medianError += Math.abs(y - row[MEDIAN]!) / n;
      meanError += Math.abs(y - mean[k]!) / n;
      naiveError += Math.abs(y - benchmark[k]!) / n;
      smape += symmetricError(y, row[MEDIAN]!) / n;
      naiveSmape += symmetricError(y, benchmark[k]!) / n;
      demand += Math.abs(y);
      for (let j = 0; j < LEVELS; j++) {
        const error = y - row[j]!;
        loss += (2 * (error >= 0 ? QUANTILE_LEVELS[j]! * error : (QUANTILE_LEVELS[j]! - 1) * error)) / LEVELS;
      }
      const third = Math.floor((3 * k) / n);
      months[third]!++;
      if (y >= row[0]! && y <= row[LEVELS - 1]!) inside[third]!++;
      const u = randomisedTransform(y, row, random());
      if (u >= 0.1 && u <= 0.9) pit++;
    }
    total.smape += smape;
    total.naiveSmape += naiveSmape;
    if (scale > 0) {
      total.scaled++;
      total.mase += medianError / scale;
      total.maseOfMean += meanError / scale;
      total.naiveMase += naiveError / scale;
    }
  }
  const allMonths = months[0]! + months[1]! + months[2]!;
  return {
    series: cases.length,
    mase: total.mase / total.scaled,
    mase_of_mean: total.maseOfMean / total.scaled,
    owa: 0.5 * (total.smape / total.naiveSmape + total.mase / total.naiveMase),
    wql9: loss / demand,
    coverage: (inside[0]! + inside[1]! + inside[2]!) / allMonths,
    coverage_by_third: inside.map((count, third) => count / months[third]!),
    pit_coverage: pit / allMonths,
  };
}

/** In-sample mean absolute error of the seasonal naive. */
function seasonalNaiveError(history: Float64Array): number {
  let sum = 0;
  for (let t = SEASON; t < history.length; t++) sum += Math.abs(history[t]! - history[t - SEASON]!);
  return sum / (history.length - SEASON);
}

function symmetricError(actual: number, forecast: number): number {
  const size = Math.abs(actual) + Math.abs(forecast);
  return size > 0 ? (200 * Math.abs(actual - forecast)) / size : 0;
}

/**
 * Randomised probability integral transform (Czado, Gneiting & Held, Biometrics 65, 2009) from nine quantiles: uniform
 * between the levels below and above the outcome. Quantiles that coincide with the outcome are an atom of probability.
 */
function randomisedTransform(actual: number, row: Float64Array, uniform: number): number {
  let below = 0;
  let reached = 0;
  for (let j = 0; j < LEVELS; j++) {
    if (row[j]! < actual) below = QUANTILE_LEVELS[j]!;
    if (row[j]! <= actual) reached = QUANTILE_LEVELS[j]!;
  }
  const next =
    QUANTILE_LEVELS[
      Math.min(
        LEVELS - 1,
        QUANTILE_LEVELS.findIndex((level) => level > reached + 1e-9),
      )
    ] ?? 1;
  const upper = reached >= QUANTILE_LEVELS[LEVELS - 1]! ? 1 : next;
  return below + (upper - below) * uniform;
}
