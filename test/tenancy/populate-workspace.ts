import { newId } from '../../src/platform/ids.js';
import { dayOf } from '../connectors/past-months.js';
import type { WooCommerceServer } from '../connectors/woocommerce-server.js';
import { type Api, dailyCsv, demandCsv } from '../support/api.js';
import { eventually } from '../support/eventually.js';
import type { TestService } from '../support/test-service.js';
import type { WorkspaceIds } from './population.js';
import { connectShop } from './shop.js';

interface NewWorkspace {
  /** Called with a key of the organization. */
  readonly api: Api;
  readonly organizationId: string;
  readonly workspaceId: string;
  /** In all names and texts that are the workspace's own. */
  readonly marker: string;
}

/** Gives a workspace demand, two completed runs, what they have found, and a connected shop. */
export async function populateWorkspace(
  service: TestService,
  shop: WooCommerceServer,
  workspace: NewWorkspace,
): Promise<WorkspaceIds> {
  const { organizationId, workspaceId, marker } = workspace;
  const importId = await uploadDemand(workspace);
  await uploadWithoutWeek(workspace);
  await importYesterday(workspace);
  // of the forecasts of the prior one a month is over
  const [prior, current] = [await completeRun(workspace, dayOf(2, 1)), await completeRun(workspace)];
  const seriesId = await seriesNamed(service, workspaceId, 'P0000');
  const alertId = await insertFindings(service, workspace, { seriesId, runId: current });
  await insertPlans(service, workspace, seriesId);
  const connectors = await connectShop(service, shop, { organizationId, workspaceId }, marker);
  return {
    workspace_id: workspaceId,
    series_id: seriesId,
    import_id: importId,
    alert_id: alertId,
    run_id: current,
    current,
    prior,
    queued_run_id: newId(), // queued when nobody is left to compute it
    ...connectors,
  };
}

/** Series are called alike everywhere: a look-up by name must not find the next tenant's. @returns the id of the import */
async function uploadDemand({ api, workspaceId, marker }: NewWorkspace): Promise<string> {
  const now = new Date();
  const untilLastMonth = demandCsv(2, 24 + now.getUTCMonth(), now.getUTCFullYear() - 2);
  const [header, ...lines] = untilLastMonth.trim().split('\n');
  const csv = [`${header},product_name,category`, ...lines.map((line) => `${line},${marker} product,${marker}`)];
  const uploaded = await api.upload(workspaceId, csv.join('\n'));
  if (uploaded.status !== 200) throw new Error(`the demand was refused: ${JSON.stringify(uploaded.body)}`);
  return String(uploaded.body['import_id']);
}

/** Days of years ago, among them a week that is missing: whether any series has it is looked up. */
async function uploadWithoutWeek({ api, workspaceId }: NewWorkspace): Promise<void> {
  const days = dailyCsv('2019-01-01', '2019-05-31').replace(/^.,2019-05-(?:0[6-9]|1[0-2]),.*\n/gm, '');
  const uploaded = await api.upload(workspaceId, days.replace(/^B,.*\n/gm, '').replace(/^A,/gm, 'P0000,'));
  const missing = uploaded.body['missing_days'] as unknown[] | undefined;
  if (missing?.length !== 1) throw new Error(`no week is missing: ${JSON.stringify(uploaded.body)}`);
}

/** A day of the month in progress, which sensing looks at; stored first and processed after. */
async function importYesterday({ api, workspaceId }: NewWorkspace): Promise<void> {
  const now = new Date();
  const day = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), Math.max(1, now.getUTCDate() - 1)));
  const csv = `unique_id,ds,y\nP0000,${day.toISOString().slice(0, 10)},5\n`;
  const path = `/actuals?workspace_id=${workspaceId}`;
  const deferred = await api.send('POST', path, csv, { 'content-type': 'text/csv', prefer: 'respond-async' });
  await eventually('the import is done', async () => {
    const { body } = await api.get(`/imports/${String(deferred.body['id'])}`);
    return body['state'] === 'completed' || undefined;
  });
}

/** @returns the id of the run */
async function completeRun({ api, workspaceId }: NewWorkspace, cutoff?: string): Promise<string> {
  const series = { unique_ids: ['P0000', 'P0001'] };
  const config = { horizon: 3, models: ['seasonal_naive'], backtest_windows: 1, series, cutoff: cutoff ?? null };
  return (await api.run({ workspace_id: workspaceId, config_overrides: config })).id;
}

async function seriesNamed(service: TestService, workspaceId: string, uniqueId: string): Promise<string> {
  const [series] = await service.database.query<{ id: string }>(
    `SELECT id FROM series WHERE workspace_id = $1 AND unique_id = $2`,
    [workspaceId, uniqueId],
  );
  return series!.id;
}

/** What a run may find about a series: an alert and a change of its trend. @returns the id of the alert */
async function insertFindings(
  { database }: TestService,
  { organizationId, workspaceId, marker }: NewWorkspace,
  { seriesId, runId }: { readonly seriesId: string; readonly runId: string },
): Promise<string> {
  const alertId = newId();
  await database.execute(
    `INSERT INTO alerts (organization_id, workspace_id, series_id, id, kind, severity, message, change_percent, period, run_id, created_at)
     VALUES ($1, $2, $3, $4, 'spike', 'high', $5, 50, '2022-06-01', $6, now())`,
    [organizationId, workspaceId, seriesId, alertId, `${marker} sells more`, runId],
  );
  await database.execute(
    `INSERT INTO trend_changes (organization_id, workspace_id, series_id, id, previous_label, label, run_id, changed_at)
     VALUES ($1, $2, $3, $4, 'stable', 'growth', $5, now())`,
    [organizationId, workspaceId, seriesId, newId(), runId],
  );
  return alertId;
}

/** What a member may have planned: demand of a month, and runs by the calendar. */
async function insertPlans(
  { database }: TestService,
  { organizationId, workspaceId, marker }: NewWorkspace,
  seriesId: string,
): Promise<void> {
  await database.execute(
    `INSERT INTO overrides (organization_id, workspace_id, series_id, id, month, kind, value, reason, author, created_at)
     VALUES ($1, $2, $3, $4, date_trunc('month', now()), 'absolute', 7, $5, $5, now() - interval '1 day'),
       ($1, $2, $3, $6, $7, 'absolute', 8, $5, $5, $8)`,
    // the latter in advance of its month, which is over
    [organizationId, workspaceId, seriesId, newId(), marker, newId(), dayOf(1, 1), dayOf(2, 1)],
  );
  await database.execute(
    `INSERT INTO run_schedules (organization_id, workspace_id, day, hour, time_zone, config_overrides, next_run_at, updated_at, updated_by)
     VALUES ($1, $2, 1, 6, 'UTC', '{}', now() + interval '20 days', now(), $3)`,
    [organizationId, workspaceId, marker],
  );
}
