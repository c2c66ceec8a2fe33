import {
  DEFAULT_SETTINGS,
  forecastSeries,
  forecastWith,
  poolWorkspace,
  type EngineSettings,
  type QuantileForecast,
} from '../src/forecasting/index.js';
import { METHODS, type ClassicalName } from '../src/forecasting/methods/registry.js';
import { readArguments } from './support/arguments.js';
import { BUNDLED_SETS, cutBack, readSet, shorten, type BenchmarkSet } from './support/data-sets.js';
import { scoreSet, type ScoredSeries, type SetScores } from './support/scores.js';

type Report = Record<string, Record<string, SetScores>>;

/**
 * Accuracy on the held-out parts, which are for scoring only. Options: `--sets m3,hospital`, `--methods all` or names beside
 * `auto`; without, the combination and the seasonal naive that checks the scorer; `--cut 1` scores one horizon earlier, inside
 * the training part, where constants may be chosen; `--months 18` shortens every history to its last 18 months (errors are
 * scaled by the full history's seasonal naive, so that lengths can be compared).
 */
export async function run(): Promise<object> {
  const options = readArguments();
  const sets = options.list('sets') ?? [...BUNDLED_SETS];
  const methods = methodNames(options.list('methods'));
  const report: Report = {};
  for (const name of sets) {
    const full = cutBack(readSet(name), Number(options.value('cut') ?? 0));
    const months = options.value('months');
    const set = months === undefined ? full : shorten(full, Number(months));
    const score = (cases: readonly ScoredSeries[]): SetScores => scoreSet(scaledByFull(cases, full));
    const scores: Record<string, SetScores> = { auto: score(forecastAuto(set)) };
    for (const method of methods) scores[method] = score(forecastClassical(set, method));
    report[set.name] = scores;
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
  if (unknown !== undefined) throw new Error(`--methods: unknown method "${unknown}"; known: ${known.join(', ')}`);
  return known.filter((method) => asked.includes(method));
}

function forecastAuto(set: BenchmarkSet): ScoredSeries[] {
  const settings: EngineSettings = { ...DEFAULT_SETTINGS, horizon: set.horizon, backtestWindows: 0 };
  const pooled = poolWorkspace(
    set.series.map((one) => one.history),
    settings,
  );
  return set.series.map(({ history, actual }) => {
    const result = forecastSeries(history, pooled, settings);
    if (result.kind === 'skipped') throw new Error(`${set.name}: ${history.id} was skipped: ${result.detail}`);
    return { id: history.id, history: history.values, actual, forecast: result };
  });
}

function forecastClassical(set: BenchmarkSet, method: ClassicalName): ScoredSeries[] {
  return set.series.map(({ history, actual }) => {
    const result = forecastWith(method, history, set.horizon, DEFAULT_SETTINGS.seed);
    const forecast: QuantileForecast = 'kind' in result ? fallback(set, method, result.detail) : result;
    return { id: history.id, history: history.values, actual, forecast };
  });
}

function fallback(set: BenchmarkSet, method: string, detail: string): never {
  throw new Error(`${set.name}: ${method} skipped a series: ${detail}`);
}
