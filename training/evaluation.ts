import { join } from 'node:path';
import { BUNDLED_SETS, type BenchmarkSeries, type BundledSet, cutBack, readSet } from '../bench/support/data-sets.js';
import { quantileLoss } from '../src/forecasting/evaluation/accuracy.js';
import { forecastsOf } from '../src/forecasting/network/forecast.js';
import { NetworkInference } from '../src/forecasting/network/inference.js';
import { type NetworkWeights } from '../src/forecasting/network/weights.js';
import { naiveScale } from '../src/forecasting/evaluation/naive-scale.js';
import { LEVELS, MEDIAN } from '../src/forecasting/types.js';

/** Accuracy of the network alone on one set at one origin. */
export interface Score {
  readonly set: BundledSet;
  /** Horizons before the end of the training part: 1 and more are training origins, 0 is the test part. */
  readonly origin: number;
  readonly series: number;
  /** Mean absolute scaled error of the median. */
  readonly mase: number;
  /** Mean weighted quantile loss over the nine levels. */
  readonly wql: number;
  /** Pinball loss scaled as MASE, averaged over series: the steadiest of the scores, used to choose settings. */
  readonly scaledPinball: number;
  /** Share of the actual values between the 10 % and the 90 % quantile. */
  readonly coverage: number;
}

/** Rows computed together. */
const BLOCK_ROWS = 64;

/** Scores single-view forecasts of the networks at each origin; `data` is the directory of the bundled sets. */
export function evaluate(networks: readonly NetworkWeights[], data: string, origins: readonly number[]): Score[] {
  const inference = networks.map((weights) => new NetworkInference(weights, BLOCK_ROWS));
  return BUNDLED_SETS.flatMap((set) => {
    const read = readSet(join(data, set));
    return origins.flatMap((origin) => scoreOrigin(inference, set, cutBack(read, origin).series, origin) ?? []);
  });
}

function scoreOrigin(
  networks: readonly NetworkInference[],
  set: BundledSet,
  cases: readonly BenchmarkSeries[],
  origin: number,
): Score | undefined {
  if (cases.length === 0) return undefined;
  const horizon = Math.max(...cases.map(({ actual }) => actual.length));
  const forecasts = forecastsOf(
    networks,
    cases.map(({ history }) => history.values),
    horizon,
  );

  const sums = { mase: 0, scaled: 0, series: 0, loss: 0, demand: 0, inside: 0, months: 0 };
  cases.forEach(({ history, actual }, i) => {
    const { quantiles } = forecasts[i]!;
    let absolute = 0;
    let loss = 0;
    actual.forEach((value, k) => {
      const at = k * LEVELS;
      absolute += Math.abs(value - quantiles[at + MEDIAN]!);
      loss += quantileLoss(value, quantiles, at);
      if (value >= quantiles[at]! && value <= quantiles[at + LEVELS - 1]!) sums.inside++;
      sums.demand += Math.abs(value);
    });
    sums.loss += loss;
    sums.months += actual.length;
    const scale = naiveScale(history.values).absolute;
    if (Number.isNaN(scale)) return;
    sums.series++;
    sums.mase += absolute / actual.length / scale;
    sums.scaled += loss / actual.length / scale;
  });
  return {
    ...{ set, origin, series: cases.length, mase: sums.mase / sums.series, wql: sums.loss / sums.demand },
    ...{ scaledPinball: sums.scaled / sums.series, coverage: sums.inside / sums.months },
  };
}

/** One line a score. */
export function formatScores(scores: readonly Score[]): string {
  const lines = scores.map(
    ({ set, origin, series, mase, wql, scaledPinball, coverage }) =>
      `| ${set} | ${origin} | ${series} | ${mase.toFixed(4)} | ${wql.toFixed(4)} | ${scaledPinball.toFixed(4)} | ${(100 * coverage).toFixed(1)} |`,
  );
  return [
    '| set | origin | series | MASE | WQL9 | scaled pinball | coverage % |',
    '|---|---|---|---|---|---|---|',
    ...lines,
  ].join('\n');
}
