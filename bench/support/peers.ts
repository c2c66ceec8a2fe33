import { spawn } from 'node:child_process';
import { naiveScale } from '../../src/forecasting/evaluation/naive-scale.js';
import type { BenchmarkSeries } from './data-sets.js';

interface PeerTiming {
  /** CPU time a series, fitting and forecasting, without start-up and compilation. */
  readonly cpuMilliseconds: number;
  /** MASE of its point forecasts on the held-out months. */
  readonly mase: number;
}

/** A timing, or the reason why there is none. */
export type PeerResult = PeerTiming | string;

/** Commands that run the peers' scripts. */
export interface Interpreters {
  readonly rscript: string;
  readonly python: string;
}

/** What a peer's script prints for one model: CPU milliseconds a series and point forecasts by series. */
interface PeerOutput {
  readonly cpu_ms: number;
  readonly forecasts: number[][];
}

/** Peers are given this long altogether each; R needs about a second a series. */
const TIME_LIMIT_MS = 240_000;

/**
 * Times the automatic methods of R `forecast` and Python `statsforecast` on the same series where they are installed. The
 * scripts read the histories as JSON on standard input and print one JSON object: model name to {@link PeerOutput}.
 */
export async function timePeers(
  sample: readonly BenchmarkSeries[],
  horizon: number,
  interpreters: Interpreters,
): Promise<Record<string, PeerResult>> {
  const input = JSON.stringify({ horizon, series: sample.map((one) => Array.from(one.history.values)) });
  const results: Record<string, PeerResult> = {};
  for (const [name, command, args] of [
    ['R forecast', interpreters.rscript, ['-e', R_SCRIPT]],
    ['statsforecast', interpreters.python, ['-c', PYTHON_SCRIPT]],
  ] as const) {
    const output = await runScript(command, args, input);
    if (typeof output === 'string') {
      results[name] = output;
      continue;
    }
    for (const [model, peer] of Object.entries(output)) {
      results[`${name} ${model}`] = { cpuMilliseconds: peer.cpu_ms, mase: meanScaledError(sample, peer.forecasts) };
    }
  }
  return results;
}

function meanScaledError(sample: readonly BenchmarkSeries[], forecasts: readonly number[][]): number {
  let total = 0;
  sample.forEach(({ history, actual }, i) => {
    let error = 0;
    actual.forEach((y, k) => (error += Math.abs(y - forecasts[i]![k]!) / actual.length));
    total += error / naiveScale(history.values).absolute / sample.length;
  });
  return total;
}

function runScript(
  command: string,
  args: readonly string[],
  input: string,
): Promise<Record<string, PeerOutput> | string> {
  return new Promise((resolve) => {
    // Not spawn's own timeout: its timer outlives a command that cannot be started and keeps the process waiting.
    const signal = AbortSignal.timeout(TIME_LIMIT_MS);
    const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'ignore'], signal });
    const chunks: Buffer[] = [];
    child.on('error', () => resolve(signal.aborted ? `${command} took too long` : `${command} is not installed`));
    child.stdin.on('error', () => undefined);
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.on('close', (code) => {
      if (code !== 0) return resolve(`not available (exit ${code ?? 'by signal'} of ${command})`);
      resolve(JSON.parse(Buffer.concat(chunks).toString('utf8')) as Record<string, PeerOutput>);
    });
    child.stdin.end(input);
  });
}

/** Compiles on the first two series, then measures process CPU time over all. */
const PYTHON_SCRIPT = `
import json, sys, time
import numpy as np
from statsforecast.models import AutoARIMA, AutoETS, AutoTheta
data = json.load(sys.stdin)
series = [np.array(y, dtype=np.float64) for y in data["series"]]
out = {}
for name, make in (("AutoETS", AutoETS), ("AutoTheta", AutoTheta), ("AutoARIMA", AutoARIMA)):
    for y in series[:2]:
        make(season_length=12).forecast(y=y, h=data["horizon"], level=[80])
    start = time.process_time()
    forecasts = [make(season_length=12).forecast(y=y, h=data["horizon"], level=[80])["mean"].tolist() for y in series]
    out[name] = {"cpu_ms": 1000 * (time.process_time() - start) / len(series), "forecasts": forecasts}
print(json.dumps(out))
`;

const R_SCRIPT = `
suppressMessages({library(forecast); library(jsonlite)})
data <- fromJSON(file("stdin"), simplifyVector = FALSE)
series <- lapply(data$series, function(y) ts(unlist(y), frequency = 12))
cpu <- function() { p <- proc.time(); p[["user.self"]] + p[["sys.self"]] }
models <- list(ets = function(y) forecast(ets(y), h = data$horizon), auto.arima = function(y) forecast(auto.arima(y), h = data$horizon))
out <- lapply(models, function(model) {
  start <- cpu()
  forecasts <- lapply(series, function(y) as.numeric(model(y)$mean))
  list(cpu_ms = 1000 * (cpu() - start) / length(series), forecasts = forecasts)
})
cat(toJSON(out, auto_unbox = TRUE, digits = 10))
`;
