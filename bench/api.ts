import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import pg from 'pg';
import { linearTrend } from '../src/numeric/linear-trend.js';
import { median } from '../src/numeric/sample-quantile.js';
import { bareServer, copyToMonthRows } from './support/bare-server.js';
import { type BenchService, HttpLoad, startBenchService } from './support/bench-service.js';
import { watchLoop } from './support/loop-watch.js';
import { cpuClock, watchMemory } from './support/resources.js';
import { call, ROWS, rowsUrl, start, waitForRun } from './support/service-calls.js';

/** A run of 840 series and 12 months has 10,080 forecast rows: one page of the most that a page has. */
const SERIES = 840;
const HORIZON = 12;
/** Short rounds of the service and the bare server in turn, so that a busy second of the machine meets both. */
const ROUNDS = 20;
/** Pages read and seconds of requests in each round. */
const READS = 5;
const SECONDS = 1;
/** Connections that read at once while memory is measured, and in how many rounds. */
const READERS = 100;
const MEMORY_ROUNDS = 12;

/**
 * Speed of the HTTP surface on this machine, over loopback: 10,000 forecast rows and one run, each beside a bare Fastify
 * server in this very process that sends prepared queries by the same role; the event loop while runs are fitted; memory
 * under 100 readers.
 */
export async function run(): Promise<object> {
  const service = await startBenchService();
  // without the setting, row-level security would hide every row from the role
  const pool = new pg.Pool({ connectionString: service.serviceUrl, max: 10, options: '-c app.system=on' });
  const load = new HttpLoad();
  let bare: FastifyInstance | undefined;
  try {
    const runId = await forecastManySeries(service);
    await copyToMonthRows(service, runId);
    bare = await bareServer(pool, service);
    const bareUrl = bare.listeningOrigin;
    const rows = await timeRows(service, load, bareUrl, runId);
    const feed = await timeFeed(service, load, runId);
    const run = await timeRun(service, load, bareUrl, runId);
    const memory = await memoryUnderReaders(service, load, runId);
    const loop = await eventLoopWhileFitting(service, load, runId);
    return {
      bars: {
        'rows: times faster than month rows with pg': bar(rows.times_faster, 'at least', 3),
        'rows: median ms': bar(rows.median_ms, 'at most', 15),
        'run: share of the requests of a bare handler': bar(run.share, 'at least', 0.6),
        'event loop: longest task of its own, ms of CPU': bar(loop.own_longest_ms, 'at most', 50),
        'memory: growth in the last half of the rounds, MB a round': bar(memory.growth_mb_a_round, 'at most', 5),
      },
      measured: { rows, feed, run, memory, event_loop: loop },
    };
  } finally {
    load.close();
    await bare?.close();
    await pool.end();
    await service.close();
  }
}

/** A run of cheap forecasts: what is timed is reading them. */
async function forecastManySeries(service: BenchService): Promise<string> {
  const lines = ['unique_id,ds,y,product_name,category,unit'];
  for (let s = 0; s < SERIES; s += 1) {
    for (let m = 0; m < 48; m += 1) {
      const ds = `${2021 + Math.floor(m / 12)}-${String((m % 12) + 1).padStart(2, '0')}`;
      const y = 50 + (s % 90) + 20 * Math.sin((2 * Math.PI * (m + s)) / 12) + ((m * 7_919 + s * 104_729) % 23);
      lines.push(`SKU-${String(s).padStart(5, '0')},${ds},${y.toFixed(1)},Product ${s},category ${s % 7},piece`);
    }
  }
  await call(service, 'POST', '/actuals', lines.join('\n'), 'text/csv');
  return waitForRun(
    service,
    await start(service, { horizon: HORIZON, models: ['seasonal_naive'], backtest_windows: 0 }),
  );
}

async function timeRows(service: BenchService, load: HttpLoad, bareUrl: string, runId: string) {
  const ours = { url: rowsUrl(service, runId), headers: { 'x-api-key': service.apiKey } };
  const bare = { url: `${bareUrl}/rows/${runId}`, headers: {} };
  const read = async (target: typeof bare | typeof ours, count: number): Promise<Timed<number[]>> =>
    timed(async () => (await load.run({ kind: 'sequence', ...target, count })).times);
  await read(ours, 10);
  await read(bare, 10);
  const rounds: [Timed<number[]>, Timed<number[]>][] = [];
  for (let round = 0; round < ROUNDS; round += 1) rounds.push([await read(ours, READS), await read(bare, READS)]);
  const ms = median(rounds.flatMap(([a]) => a.result));
  const bareMs = median(rounds.flatMap(([, b]) => b.result));
  return {
    rows: ROWS,
    median_ms: ms,
    rows_per_second: (1_000 * ROWS) / ms,
    month_rows_with_pg_median_ms: bareMs,
    times_faster: bareMs / ms,
    cpu_ms: median(rounds.map(([a]) => a.cpuMs / READS)),
    month_rows_with_pg_cpu_ms: median(rounds.map(([, b]) => b.cpuMs / READS)),
  };
}

/** The same rows from the OData feed, which filters, sorts and writes them in the database. */
async function timeFeed(service: BenchService, load: HttpLoad, runId: string) {
  const headers = { 'x-api-key': service.apiKey };
  const plain = { url: rowsUrl(service, runId), headers };
  const feed = {
    url: `${service.url}/odata/v4/Forecasts?$filter=${encodeURIComponent(`run_id eq ${runId}`)}`,
    headers: { ...headers, prefer: `odata.maxpagesize=${ROWS}` },
  };
  const read = async (target: typeof plain): Promise<Timed<number[]>> =>
    timed(async () => (await load.run({ kind: 'sequence', ...target, count: READS })).times);
  await read(feed);
  const rounds: [Timed<number[]>, Timed<number[]>][] = [];
  for (let round = 0; round < ROUNDS; round += 1) rounds.push([await read(feed), await read(plain)]);
  const ms = median(rounds.flatMap(([a]) => a.result));
  const plainMs = median(rounds.flatMap(([, b]) => b.result));
  return {
    rows: ROWS,
    median_ms: ms,
    rows_per_second: (1_000 * ROWS) / ms,
    plain_median_ms: plainMs,
    times_plain: ms / plainMs,
    cpu_ms: median(rounds.map(([a]) => a.cpuMs / READS)),
    plain_cpu_ms: median(rounds.map(([, b]) => b.cpuMs / READS)),
  };
}

async function timeRun(service: BenchService, load: HttpLoad, bareUrl: string, runId: string) {
  const ours = { url: `${service.url}/api/v1/runs/${runId}`, headers: { 'x-api-key': service.apiKey } };
  const bare = { url: `${bareUrl}/runs/${runId}`, headers: {} };
  const perSecond = async (target: typeof bare | typeof ours): Promise<Timed<number>> =>
    timed(async () => (await load.run({ kind: 'requests', ...target, connections: 10, seconds: SECONDS })).perSecond);
  await perSecond(ours);
  await perSecond(bare);
  const rounds: [Timed<number>, Timed<number>][] = [];
  for (let round = 0; round < ROUNDS; round += 1) rounds.push([await perSecond(ours), await perSecond(bare)]);
  const cpuMs = ({ result, cpuMs: spent }: Timed<number>): number => spent / (result * SECONDS);
  const ourRate = median(rounds.map(([a]) => a.result));
  const bareRate = median(rounds.map(([, b]) => b.result));
  return {
    requests_per_second: ourRate,
    bare_requests_per_second: bareRate,
    share: ourRate / bareRate,
    shares_by_round: rounds.map(([a, b]) => a.result / b.result),
    cpu_ms: median(rounds.map(([a]) => cpuMs(a))),
    bare_cpu_ms: median(rounds.map(([, b]) => cpuMs(b))),
  };
}

/** What came of some work, and the CPU time this process spent on it. */
interface Timed<Result> {
  readonly result: Result;
  readonly cpuMs: number;
}

async function timed<Result>(work: () => Promise<Result>): Promise<Timed<Result>> {
  const cpuMs = cpuClock();
  return { result: await work(), cpuMs: cpuMs() };
}

/**
 * Resident memory of this process: the service and the bare server, not the readers. A leak goes on growing, a heap that has
 * found its size does not: hence the slope over the last rounds.
 */
async function memoryUnderReaders(service: BenchService, load: HttpLoad, runId: string) {
  const url = rowsUrl(service, runId);
  const headers = { 'x-api-key': service.apiKey };
  const peaks: number[] = [];
  let refused = 0;
  const before = process.memoryUsage.rss();
  for (let round = 0; round < MEMORY_ROUNDS; round += 1) {
    const mostMemory = watchMemory();
    refused += (await load.run({ kind: 'readers', url, headers, connections: READERS, count: 3 * READERS })).failed;
    peaks.push(megabytes(mostMemory()));
  }
  return {
    readers: READERS,
    refused,
    before_mb: megabytes(before),
    peak_mb_by_round: peaks,
    growth_mb_a_round: linearTrend(Float64Array.from(peaks.slice(-MEMORY_ROUNDS / 2))).slope,
    after_mb: megabytes(process.memoryUsage.rss()),
  };
}

/** Runs fitted one after another while the loop is watched: one alone may end before the watching does. */
const FITTED_RUNS = 12;
const WATCHED_MS = 10_000;

/**
 * The event loop while it answers requests and its process fits runs. `wall`: how late the loop was for a timer, waiting
 * for a core of this machine included. `own`: CPU time of the loop's thread between two turns, which nothing outside the
 * process lengthens; the longest task that blocked the loop took no more.
 */
async function eventLoopWhileFitting(service: BenchService, load: HttpLoad, runId: string) {
  const runs: string[] = [];
  for (let n = 0; n < FITTED_RUNS; n += 1) runs.push(await start(service, { horizon: HORIZON }));
  await sleep(1_000);
  const watch = watchLoop();
  const headers = { 'x-api-key': service.apiKey };
  const until = performance.now() + WATCHED_MS;
  let requests = 0;
  while (performance.now() < until) {
    await load.run({ kind: 'sequence', url: rowsUrl(service, runId), headers, count: 5 });
    await load.run({ kind: 'sequence', url: `${service.url}/api/v1/runs/${runs.at(-1)}`, headers, count: 20 });
    requests += 25;
  }
  const seen = watch.stop();
  const states = await Promise.all(runs.map((id) => call(service, 'GET', `/runs/${id}`)));
  const unfinished = states.filter((run) => run['finished_at'] === null).map((run) => String(run['id']));
  if (unfinished.length === 0) throw new Error('the runs ended before the loop had been watched; start more of them');
  await Promise.all(unfinished.map((id) => call(service, 'POST', `/runs/${id}/cancel`)));
  return { requests, runs_completed: FITTED_RUNS - unfinished.length, ...seen };
}

function bar(figure: number, direction: 'at least' | 'at most', limit: number): object {
  const met = direction === 'at least' ? figure >= limit : figure <= limit;
  return { figure, bar: `${direction} ${limit}`, met: met ? 'yes' : 'NO' };
}

const megabytes = (bytes: number): number => Math.round(bytes / 1_048_576);
