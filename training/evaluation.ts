import { forecastsOf } from '../src/forecasting/network/forecast.js';
import { NetworkInference } from '../src/forecasting/network/inference.js';
import { type NetworkWeights } from '../src/forecasting/network/weights.js';
import { LEVELS, MEDIAN, QUANTILE_LEVELS, SEASON } from '../src/forecasting/types.js';
import { BUNDLED_SETS, readSet, type SetName } from './data/bundled-sets.js';

/** Accuracy of the network alone on one set at one origin. */
export interface Score {
  readonly set: SetName;
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

const BLOCK_ROWS = 64;
const SHORTEST = 13;

/** Scores single-view forecasts of the networks at each origin. */
export function evaluate(networks: readonly NetworkWeights[], data: string, origins: readonly number[]): Score[] {
  const inference = networks.map((weights) => new NetworkInference(weights, BLOCK_ROWS));
  return BUNDLED_SETS.flatMap((set) => {
    const series = readSet(data, set);
    return origins.flatMap((origin) => scoreOrigin(inference, set, series, origin) ?? []);
  });
}

function scoreOrigin(
  networks: readonly NetworkInference[],
  set: SetName,
  series: ReturnType<typeof readSet>,
  origin: number,
): Score | undefined {
  const cases = series
    .map(({ train, test }) => {
      const end = train.length - origin * test.length;
      const all = Float64Array.from([...train, ...test]);
      return { history: train.slice(0, Math.max(0, end)), future: all.slice(Math.max(0, end), end + test.length) };
    })
    .filter(({ history }) => history.length >= SHORTEST);
  if (cases.length === 0) return undefined;
  const horizon = Math.max(...cases.map(({ future }) => future.length));
  const forecasts = forecastsOf(
    networks,
    cases.map(({ history }) => history),
    horizon,
  );

  const sums = { mase: 0, scaled: 0, series: 0, loss: 0, demand: 0, inside: 0, months: 0 };
  cases.forEach(({ history, future }, i) => {
    const { quantiles } = forecasts[i]!;
    let absolute = 0;
    let loss = 0;
    future.forEach((actual, k) => {
      const at = k * LEVELS;
      absolute += Math.abs(actual - quantiles[at + MEDIAN]!);
      for (let j = 0; j < LEVELS; j++) {
        const error = actual - quantiles[at + j]!;
        loss += (2 * Math.max(QUANTILE_LEVELS[j]! * error, (QUANTILE_LEVELS[j]! - 1) * error)) / LEVELS;
      }
      if (actual >= quantiles[at]! && actual <= quantiles[at + LEVELS - 1]!) sums.inside++;
      sums.demand += Math.abs(actual);
    });
    sums.loss += loss;
    sums.months += future.length;
    const scale = seasonalNaiveError(history);
    if (!(scale > 0)) return;
    sums.series++;
    sums.mase += absolute / future.length / scale;
    sums.scaled += loss / future.length / scale;
  });
  return {
    ...{ set, origin, series: cases.length, mase: sums.mase / sums.series, wql: sums.loss / sums.demand },
    ...{ scaledPinball: sums.scaled / sums.series, coverage: sums.inside / sums.months },
  };
}

/** In-sample mean absolute error of the seasonal naive. */
function seasonalNaiveError(history: Float64Array): number {
  let sum = 0;
  for (let t = SEASON; t < history.length; t++) sum += Math.abs(history[t]! - history[t - SEASON]!);
  return sum / (history.length - SEASON);
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
