import { join } from 'node:path';
import { BUNDLED_SETS, type BenchmarkSeries, type BundledSet, cutBack, readSet } from '../bench/support/data-sets.js';
import {
  emptyAccuracy,
  finishAccuracy,
  mergeAccuracy,
  seriesAccuracy,
} from '../src/forecasting/evaluation/accuracy.js';
import { outcomeWindow } from '../src/forecasting/evaluation/outcome.js';
import { forecastsOf } from '../src/forecasting/network/forecast.js';
import { NetworkInference } from '../src/forecasting/network/inference.js';
import { type NetworkWeights } from '../src/forecasting/network/weights.js';

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

  let sums = emptyAccuracy();
  let scaledPinball = 0;
  cases.forEach(({ history, actual }, i) => {
    const window = outcomeWindow({ firstMonth: 0, ...forecasts[i]! }, history.values, actual)!;
    const own = seriesAccuracy([window]);
    sums = mergeAccuracy(sums, own);
    if (own.scaledWindows > 0) scaledPinball += own.quantileLoss / own.months / window.maseScale;
  });
  const { mase, meanWeightedQuantileLoss: wql, coverage } = finishAccuracy(sums);
  return {
    ...{ set, origin, series: cases.length, mase: mase!, wql: wql!, coverage: coverage! },
    scaledPinball: scaledPinball / sums.scaledWindows,
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
