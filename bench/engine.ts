import {
  DEFAULT_SETTINGS,
  forecastSeries,
  forecastWith,
  poolWorkspace,
  type EngineSettings,
} from '../src/forecasting/index.js';
import { createRandom } from '../src/numeric/random.js';
import { median } from '../src/numeric/sample-quantile.js';
import { METHODS, type ClassicalName } from '../src/forecasting/methods/registry.js';
import type { Arguments } from './support/arguments.js';
import { readSet, type BenchmarkSeries } from './support/data-sets.js';
import { timePeers } from './support/peers.js';
import { cpuClock } from './support/resources.js';
import { scoreSet } from './support/scores.js';

/** Series timed: every k-th of the m3 set, whose histories are about 100 months long and whose horizon is 18. */
const SAMPLE = 200;
/** Series that slow peers are timed on. */
const PEER_SAMPLE = 20;

/** See {@link run}. */
export const OPTIONS = { values: ['rscript', 'python'] };

/**
 * CPU milliseconds a series, one thread, after a warm-up over the same series. The pooled part is measured on its own: it is computed
 * once a run, whatever the number of series. Peers (R forecast, Python statsforecast) run on the same series where installed;
 * name the interpreters with `--rscript` and `--python`.
 */
export async function run(options: Arguments): Promise<object> {
  const set = readSet('m3');
  const stride = Math.floor(set.series.length / SAMPLE);
  const sample = set.series.filter((_, i) => i % stride === 0).slice(0, SAMPLE);
  const plain: EngineSettings = { ...DEFAULT_SETTINGS, horizon: set.horizon, backtestWindows: 0 };
  const tested: EngineSettings = { ...plain, backtestWindows: 1 };

  const auto = timeRoute(sample, plain);
  const report = {
    sample: {
      m3: {
        series: sample.length,
        mean_months: sample.reduce((sum, one) => sum + one.history.values.length, 0) / sample.length,
        horizon: set.horizon,
      },
    },
    engine: { forecast: auto, forecast_and_backtest: timeRoute(sample, tested) },
    methods: Object.fromEntries(
      (Object.keys(METHODS) as ClassicalName[]).map((name) => [name, { cpu_ms_per_series: timeMethod(sample, name) }]),
    ),
  };
  const stress = stressTest(tested);
  const peerSample = sample.slice(0, PEER_SAMPLE);
  const peers = await timePeers(peerSample, set.horizon, {
    rscript: options.value('rscript') ?? 'Rscript',
    python: options.value('python') ?? 'python3',
  });
  const own = { cpu_ms_per_series: auto.cpu_ms_per_series, mase: scoreAuto(peerSample, plain) };
  return {
    ...report,
    stress,
    peers: Object.fromEntries(
      Object.entries(peers).map(([name, peer]) => [
        name,
        typeof peer === 'string'
          ? { status: peer }
          : {
              cpu_ms_per_series: peer.cpuMilliseconds,
              times_slower: peer.cpuMilliseconds / own.cpu_ms_per_series,
              mase: peer.mase,
              mase_of_engine: own.mase,
            },
      ]),
    ),
  };
}

function timeRoute(sample: readonly BenchmarkSeries[], settings: EngineSettings) {
  const histories = sample.map((one) => one.history);
  const once = (): void => {
    const pooled = poolWorkspace(histories, settings);
    for (const history of histories) forecastSeries(history, pooled, settings);
  };
  once();
  const poolTime = cpuMilliseconds(() => poolWorkspace(histories, settings));
  const pooled = poolWorkspace(histories, settings);
  const seriesTime = cpuMilliseconds(() => {
    for (const history of histories) forecastSeries(history, pooled, settings);
  });
  return { cpu_ms_per_series: seriesTime / histories.length, pooling_ms_per_run: poolTime };
}

/** Wall-clock time of single series that are hard on a forecaster, each with a pool that knows nothing; the median of five. */
function stressTest(settings: EngineSettings): Record<string, { milliseconds: number }> {
  const pooled = poolWorkspace([], settings);
  const length = 400;
  const random = createRandom(1);
  const noise = Float64Array.from({ length }, () => random());
  const histories: Record<string, Float64Array> = {
    noise,
    tiny: noise.map((value) => value * 1e-12),
    huge: noise.map((value) => value * 1e12),
    returns: noise.map((value) => value - 0.5),
    gaps: noise.map((value, t) => (t % 3 === 0 ? NaN : value)),
    outlier: noise.map((value, t) => (t === length - 2 ? 1e9 : value)),
    counts: noise.map((value) => (value < 0.7 ? 0 : Math.round(10 * value))),
    growth: noise.map((value, t) => value * Math.exp(t / 20)),
  };
  return Object.fromEntries(
    Object.entries(histories).map(([name, values]) => {
      const times = Array.from({ length: 5 }, () => {
        const start = performance.now();
        forecastSeries({ id: name, startMonth: 24000, values }, pooled, { ...settings, horizon: 36 });
        return performance.now() - start;
      });
      return [name, { milliseconds: median(times) }];
    }),
  );
}

function timeMethod(sample: readonly BenchmarkSeries[], name: ClassicalName): number {
  const forecastAll = (): void => {
    for (const { history, actual } of sample) forecastWith(name, history, actual.length, DEFAULT_SETTINGS.seed);
  };
  forecastAll();
  return cpuMilliseconds(forecastAll) / sample.length;
}

function scoreAuto(sample: readonly BenchmarkSeries[], settings: EngineSettings): number {
  const pooled = poolWorkspace(
    sample.map((one) => one.history),
    settings,
  );
  return scoreSet(
    sample.map(({ history, actual }) => {
      const forecast = forecastSeries(history, pooled, settings);
      if (forecast.kind === 'skipped') throw new Error(`${history.id} was skipped: ${forecast.detail}`);
      return { id: history.id, history: history.values, actual, forecast };
    }),
  ).mase;
}

/** CPU time that the process spends on `work`. */
function cpuMilliseconds(work: () => void): number {
  const spent = cpuClock();
  work();
  return spent();
}
