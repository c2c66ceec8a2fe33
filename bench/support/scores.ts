import { classifyDemand } from '../../src/forecasting/routing/classify.js';
import { LEVELS, MEDIAN, QUANTILE_LEVELS, type QuantileForecast } from '../../src/forecasting/index.js';
import { thirdOf } from '../../src/forecasting/combination/calibration.js';
import { quantileLoss } from '../../src/forecasting/evaluation/accuracy.js';
import { createRandom } from '../../src/numeric/random.js';
import { sumOf } from '../../src/numeric/sum.js';
import { naiveScale } from '../../src/forecasting/evaluation/naive-scale.js';
import { countObserved, meanObserved } from '../../src/forecasting/missing.js';
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
  /** The same by pattern of demand, with the number of series that show it. */
  readonly pit_coverage_by_pattern: readonly string[];
}

/** The forecast of one series beside its held-out months. */
export interface ScoredSeries {
  readonly id: string;
  readonly history: Float64Array;
  /** NaN where missing: such months are not scored. */
  readonly actual: Float64Array;
  readonly forecast: QuantileForecast;
}

/** Seed of the randomised transforms. */
const PIT_SEED = 20240611;

/** Scores of one series, to be averaged or summed over a set. */
interface SeriesScores {
  readonly pattern: string;
  /** Mean absolute errors in units of the seasonal naive's; NaN where that is zero. */
  readonly mase: number;
  readonly maseOfMean: number;
  readonly naive2Mase: number;
  readonly smape: number;
  readonly naive2Smape: number;
  /** Sums over the months. */
  readonly loss: number;
  readonly demand: number;
  readonly pitInside: number;
  /** Counts by third of the horizon. */
  readonly inside: readonly number[];
  readonly months: readonly number[];
}

/**
 * Scores forecasts against the held-out months. A series whose seasonal naive is exact in sample counts for all but MASE and OWA,
 * one without any demand held out for nothing.
 */
export function scoreSet(cases: readonly ScoredSeries[]): SetScores {
  const random = createRandom(PIT_SEED);
  const scored = cases.filter(({ actual }) => countObserved(actual) > 0);
  const scores = scored.map((one) => scoreSeries(one, random));
  const scaled = scores.filter((one) => !Number.isNaN(one.mase));
  const mase = meanOver(scaled, (one) => one.mase);
  const smape = meanOver(scores, (one) => one.smape);
  const inside = [0, 1, 2].map((third) => sumOver(scores, (one) => one.inside[third]!));
  const months = [0, 1, 2].map((third) => sumOver(scores, (one) => one.months[third]!));
  const patterns = [...new Set(scores.map((one) => one.pattern))].sort();
  const allMonths = sumOf(months);
  return {
    series: scores.length,
    mase,
    mase_of_mean: meanOver(scaled, (one) => one.maseOfMean),
    owa: 0.5 * (smape / meanOver(scores, (one) => one.naive2Smape) + mase / meanOver(scaled, (one) => one.naive2Mase)),
    wql9: sumOver(scores, (one) => one.loss) / sumOver(scores, (one) => one.demand),
    coverage: sumOf(inside) / allMonths,
    coverage_by_third: inside.map((count, third) => count / months[third]!),
    pit_coverage: pitCoverage(scores),
    pit_coverage_by_pattern: patterns.map((pattern) => {
      const shown = scores.filter((one) => one.pattern === pattern);
      return `${pattern}(${shown.length}) ${(100 * pitCoverage(shown)).toFixed(1)}`;
    }),
  };
}

function scoreSeries({ history, actual, forecast }: ScoredSeries, random: () => number): SeriesScores {
  const { mean, quantiles } = forecast;
  const n = actual.length;
  const benchmark = naive2(history, n);
  const scale = naiveScale(history).absolute;
  const medians = mean.map((_, k) => quantiles[k * LEVELS + MEDIAN]!);
  let loss = 0;
  let pitInside = 0;
  const inside = [0, 0, 0];
  const months = [0, 0, 0];
  actual.forEach((y, k) => {
    if (Number.isNaN(y)) return;
    const row = quantiles.subarray(k * LEVELS, (k + 1) * LEVELS);
    const third = thirdOf(k, n);
    loss += quantileLoss(y, quantiles, k * LEVELS);
    months[third]!++;
    if (y >= row[0]! && y <= row[LEVELS - 1]!) inside[third]!++;
    const transform = randomisedTransform(y, row, random());
    if (transform >= 0.1 && transform <= 0.9) pitInside++;
  });
  return {
    pattern: classifyDemand(history).pattern,
    mase: meanAbsoluteError(actual, medians) / scale,
    maseOfMean: meanAbsoluteError(actual, mean) / scale,
    naive2Mase: meanAbsoluteError(actual, benchmark) / scale,
    smape: symmetricError(actual, medians),
    naive2Smape: symmetricError(actual, benchmark),
    loss,
    demand: actual.reduce((sum, y) => sum + (Number.isNaN(y) ? 0 : Math.abs(y)), 0),
    pitInside,
    inside,
    months,
  };
}

function pitCoverage(scores: readonly SeriesScores[]): number {
  const months = sumOver(scores, (one) => sumOf(one.months));
  return sumOver(scores, (one) => one.pitInside) / months;
}

function sumOver(scores: readonly SeriesScores[], pick: (one: SeriesScores) => number): number {
  return scores.reduce((sum, one) => sum + pick(one), 0);
}

function meanOver(scores: readonly SeriesScores[], pick: (one: SeriesScores) => number): number {
  return sumOver(scores, pick) / scores.length;
}

function meanAbsoluteError(actual: Float64Array, forecast: Float64Array): number {
  return meanObserved(actual.map((y, k) => Math.abs(y - forecast[k]!)));
}

/** Symmetric mean absolute percentage error of the M competitions, 0 .. 200. */
function symmetricError(actual: Float64Array, forecast: Float64Array): number {
  const errors = actual.map((y, k) => {
    const size = Math.abs(y) + Math.abs(forecast[k]!);
    return size === 0 ? 0 : (200 * Math.abs(y - forecast[k]!)) / size;
  });
  return meanObserved(errors);
}

/**
 * Randomised probability integral transform (Czado, Gneiting & Held, Biometrics 65, 2009) from nine quantiles: uniform between the
 * highest level whose quantile lies below the outcome (0 if none) and the lowest whose quantile lies above it (1 if none), which
 * stand for P(X < outcome) and P(X <= outcome). Of counts they are bounds only: where even q90 is 0, a calibrated forecast measures
 * .8 P(0), .72 to .8. Negative binomial counts of means of .05 to 100 measure .74 to .83, and .794 on average over log-normal means.
 */
function randomisedTransform(actual: number, row: Float64Array, uniform: number): number {
  let below = 0;
  let reached = 0;
  for (let j = 0; j < LEVELS; j++) {
    if (row[j]! < actual) below = QUANTILE_LEVELS[j]!;
    if (row[j]! <= actual) reached = QUANTILE_LEVELS[j]!;
  }
  const upper = QUANTILE_LEVELS.find((level) => level > reached) ?? 1;
  return below + (upper - below) * uniform;
}
