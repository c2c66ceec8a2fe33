import {
  DEFAULT_SETTINGS,
  forecastSeries,
  forecastWith,
  poolWorkspace,
  type DemandHistory,
  type EngineSettings,
  type QuantileForecast,
  type SeriesResult,
} from '../src/forecasting/index.js';
import { METHODS, type ClassicalName } from '../src/forecasting/methods/registry.js';
import { UsageError } from '../src/cli/input/usage-error.js';
import type { Arguments } from './support/arguments.js';
import { BUNDLED_SETS, cutBack, readSets, shorten, type BenchmarkSet } from './support/data-sets.js';
import { scoreSet, type ScoredSeries, type SetScores } from './support/scores.js';

/** Scores by method; `skipped`: series that it cannot forecast, where there are such. */
type Report = Record<string, Record<string, SetScores & { readonly skipped?: number }>>;

interface Forecasts {
  readonly cases: readonly ScoredSeries[];
  readonly skipped: number;
}

/** See {@link run}. */
export const OPTIONS = { values: ['sets', 'methods', 'cut', 'months'] };

/**
 * Accuracy on the held-out parts, which are for scoring only. Options: `--sets m3,hospital` or folders (readSets), `--methods all` or names beside
 * `auto`; without, the combination and the seasonal naive that checks the scorer; `--cut 1` scores one horizon earlier, inside
 * the training part, where constants may be chosen; `--months 18` shortens every history to its last 18 months (errors are
 * scaled by the full history's seasonal naive, so that lengths can be compared).
 */
export function run(options: Arguments): Promise<object> {
  const methods = methodNames(options.list('methods'));
  const report: Report = {};
  const months = options.count('months');
  for (const read of readSets(options.list('sets') ?? BUNDLED_SETS)) {
    const full = cutBack(read, options.count('cut') ?? 0);
    const set = months === undefined ? full : shorten(full, months);
    if (set.series.length === 0) throw new UsageError(`${set.name}: no series is long enough for that cut`);
    const score = ({ cases, skipped }: Forecasts): Report[string][string] => ({
      ...scoreSet(scaledByFull(cases, full)),
      ...(skipped > 0 && { skipped }),
    });
    report[set.name] = { auto: score(forecastAuto(set)) };
    for (const method of methods) report[set.name]![method] = score(forecastClassical(set, method));
  }
  return Promise.resolve(report);
}

/** The same cases with the full histories, which the errors are scaled by. */
function scaledByFull(cases: readonly ScoredSeries[], full: BenchmarkSet): ScoredSeries[] {
  const histories = new Map(full.series.map(({ history }) => [history.id, history.values]));
  return cases.map((one) => ({ ...one, history: histories.get(one.id) ?? one.history }));
}

function methodNames(asked: readonly string[] | undefined): ClassicalName[] {
  const known = Object.keys(METHODS) as ClassicalName[];
  if (!asked) return ['seasonal_naive'];
  if (asked.includes('all')) return known;
  const unknown = asked.find((name) => !known.some((method) => method === name));
  if (unknown !== undefined) throw new UsageError(`--methods: unknown method "${unknown}"; known: ${known.join(', ')}`);
  return known.filter((method) => asked.includes(method));
}

function forecastAuto(set: BenchmarkSet): Forecasts {
  const settings: EngineSettings = { ...DEFAULT_SETTINGS, horizon: set.horizon, backtestWindows: 0 };
  const pooled = poolWorkspace(
    set.series.map((one) => one.history),
    settings,
  );
  return forecastEach(set, (history) => forecastSeries(history, pooled, settings));
}

function forecastClassical(set: BenchmarkSet, method: ClassicalName): Forecasts {
  return forecastEach(set, (history) => forecastWith(method, history, set.horizon, DEFAULT_SETTINGS.seed));
}

function forecastEach(
  set: BenchmarkSet,
  forecastOf: (history: DemandHistory) => QuantileForecast | SeriesResult,
): Forecasts {
  const cases: ScoredSeries[] = [];
  for (const { history, actual } of set.series) {
    const forecast = forecastOf(history);
    if ('kind' in forecast && forecast.kind === 'skipped') continue;
    cases.push({ id: history.id, history: history.values, actual, forecast });
  }
  return { cases, skipped: set.series.length - cases.length };
}
