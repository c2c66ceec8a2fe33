import { setTimeout as sleep } from 'node:timers/promises';
import { createProgress } from '../progress.js';
import type { DemoAccess } from './access.js';
import { DemoClient } from './client.js';
import { demoDemand, monthsBefore } from './demand.js';

/** Months between the demo's two runs: long enough for demand to have changed. */
const BETWEEN_RUNS = 6;
/** Windows of the demo's backtests: metrics of a single year would say more about that year than about the forecasts. */
const BACKTEST_WINDOWS = 3;
/** Milliseconds between two checks of a run's progress. */
const POLL_MS = 1_000;
/** Milliseconds within which a worker starts a run, if there is one. */
const TAKEN_UP_MS = 3_000;

interface Run {
  readonly id: string;
  readonly status: string;
  readonly config: { readonly cutoff: string | null };
  readonly progress: { readonly series_done: number; readonly series_total: number };
}

/**
 * State of the demo. `closed`: its key does not work from here. It was created in another database or revoked, its allowlist
 * excludes this machine, or the organization is suspended or to be deleted. `unfinished`: startup was interrupted before the demo
 * was loaded, so that its workspace has no run, or only the first of the demo's two, the one with a cutoff.
 */
export async function stateOfDemo(
  baseUrl: string,
  { apiKey }: DemoAccess,
): Promise<'closed' | 'unfinished' | 'loaded'> {
  const reply = await fetch(`${baseUrl}/api/v1/runs?limit=2`, { headers: { 'x-api-key': apiKey } });
  if (reply.status === 401 || reply.status === 403) return 'closed';
  if (!reply.ok) return 'loaded'; // closed for maintenance, or not loadable right now: the key is as good as before
  const runs = (await reply.json()) as Pick<Run, 'config'>[];
  return runs.length < 2 && runs.every(({ config }) => config.cutoff !== null) ? 'unfinished' : 'loaded';
}

/**
 * Uploads the demo demand and forecasts it twice, as of some months ago and now, so that there are changes to look at. Shows the
 * progress.
 */
export async function loadDemo(
  baseUrl: string,
  { workspaceId, apiKey }: DemoAccess,
  now: Date,
  stopped: () => boolean,
): Promise<void> {
  const client = new DemoClient(baseUrl, apiKey, stopped);
  const forecast = async (step: string, title: string, cutoff?: string): Promise<void> => {
    const config_overrides = { backtest_windows: BACKTEST_WINDOWS, cutoff };
    const body = JSON.stringify({ workspace_id: workspaceId, config_overrides });
    const { id } = await client.post<Run>('/runs', step, 'application/json', body);
    await follow(client, id, title, stopped);
  };
  await client.post(`/actuals?workspace_id=${workspaceId}`, 'demand', 'text/csv', await demoDemand(now));
  const cutoff = monthsBefore(now, BETWEEN_RUNS + 1);
  await forecast('first run', `forecasting the demo demand as of ${cutoff}`, cutoff);
  if (!stopped()) await forecast('second run', 'forecasting the demo demand');
}

/** Shows the progress of a run until it has ended or the process is shutting down. */
async function follow(client: DemoClient, runId: string, title: string, stopped: () => boolean): Promise<void> {
  const bar = createProgress(title);
  let noticeAt = performance.now() + TAKEN_UP_MS;
  for (;;) {
    const { status, progress } = await client.get<Run>(`/runs/${runId}`);
    if (status === 'queued' && performance.now() > noticeAt) {
      process.stdout.write(`${title}: waiting for a worker; if none is running, start one with --role=worker\n`);
      noticeAt = Infinity;
    }
    if (progress.series_total > 0) bar.update(progress.series_done, progress.series_total);
    if ((status !== 'queued' && status !== 'running') || stopped()) break;
    await sleep(POLL_MS);
  }
  bar.finish();
}
