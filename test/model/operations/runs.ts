import { PLANS } from '../../../config/plans.js';
import type { MemberRole } from '../../../src/platform/http/access-declaration.js';
import { byEither, byKey, findRun, type FoundRun } from '../admission.js';
import type { Dice } from '../dice.js';
import type { Model, Organization, Override, Run, Workspace } from '../model.js';
import { idIn, type Maker, must, NOT_FOUND, refused, same, succeeded } from '../operation.js';
import { type Item, items, type Reply } from '../world.js';
import { repetitionOf } from './idempotency.js';

const CONFIG = { horizon: 2, backtest_windows: 0 };

/** Mostly a new one, of whichever tenant. */
function pickRun(model: Model, dice: Dice): string {
  const runs = model.organizations.flatMap(({ workspaces }) => workspaces.flatMap((workspace) => workspace.runs));
  const known = dice.pickOf(runs.slice(-4));
  return known && !dice.once(10) ? known.id : dice.pick(['nonsense', ...model.gone.run]);
}

export const startRun: Maker = (model, dice, cast) => {
  const call = byEither(model, dice, cast, 'member');
  if (!call) return undefined;
  const needed = dice.pick([1, 3]);
  const config = { ...CONFIG, min_history: needed };
  const key = call.keyId !== null && dice.once(2) ? `run ${dice.below(3)}` : undefined;
  const named = call.keyId === null ? {} : { workspace_id: call.workspaceId };
  const body = { ...named, config_overrides: config };
  return {
    caller: call.caller,
    method: 'POST',
    path: call.base + (call.keyId === null ? '/runs' : dice.pick(['/runs', '/forecasts'])),
    body,
    headers: key === undefined ? undefined : { 'idempotency-key': key },
    judge: (now, reply) => {
      if (refused(reply, call.refusal(now))) return;
      const { refusal, former, keep } = repetitionOf(now, call, { key, body });
      if (refused(reply, refusal)) return;
      if (former !== undefined) {
        succeeded(reply, 202);
        return same([idIn(reply), reply.headers.has('idempotent-replayed')], [former, true], 'replay');
      }
      const [workspace, organization] = [call.workspace(now), call.organization(now)];
      const isUsable = workspace.series.some(({ months }) => Object.keys(months).length >= needed);
      if (!isUsable) return void refused(reply, [400, 'no_usable_series']);
      const quota = PLANS[organization.plan].monthly_runs;
      if (reply.status === 402) {
        sameUsed(organization, reply.body['used']);
        return same([reply.body['quota'], reply.body['used']], [quota, quota], 'quota');
      }
      const most = Math.min(organization.used, quota - 1);
      organization.unclear -= organization.used - most;
      must(organization.unclear >= 0, 'none is left of the quota');
      succeeded(reply, 202);
      must(!workspace.runs.some(({ id }) => id === idIn(reply)), 'a new run');
      workspace.runs.push({ id: idIn(reply), state: 'started', billed: true });
      organization.used = most + 1;
      organization.audited.push('run.started');
      keep(idIn(reply));
    },
  };
};

/** A call about a run, of whichever tenant. @param judge of the reply to whom the run is there for */
function aboutRun(
  role: MemberRole,
  { method = 'GET', rest = '', body }: { readonly method?: string; readonly rest?: string; readonly body?: unknown },
  judge: (found: FoundRun, reply: Reply) => void,
): Maker {
  return (model, dice, cast) => {
    const call = byEither(model, dice, cast, role);
    if (!call) return undefined;
    const id = pickRun(model, dice);
    return {
      caller: call.caller,
      method,
      path: `${call.base}/runs/${id}${rest}`,
      body,
      judge: (now, reply) => {
        if (refused(reply, call.unnamedRefusal(now))) return;
        const found = findRun(now, call, id);
        if (!found) return void refused(reply, NOT_FOUND);
        judge(found, reply);
      },
    };
  };
}

export const cancelRun = aboutRun(
  'member',
  { method: 'POST', rest: '/cancel', body: {} },
  ({ run, organization }, reply) => {
    if (run.state === 'started' && reply.status === 409) run.state = 'completed';
    if (run.state === 'completed') return void refused(reply, [409, 'run_already_finished']);
    succeeded(reply, 200);
    if (run.state === 'started') {
      run.state = 'canceled';
      // what no worker had taken up is given back
      run.billed = reply.body['started_at'] !== null;
      if (!run.billed) organization.used -= 1;
      organization.audited.push('run.canceled');
    }
    sameRun(reply.body, run);
  },
);

export const readRun = aboutRun('viewer', {}, ({ run }, reply) => {
  succeeded(reply, 200);
  sameRun(reply.body, run);
});

export const readForecasts = aboutRun(
  'viewer',
  { rest: '/forecasts?apply_overrides=true' },
  ({ run, workspace }, reply) => {
    if (run.state === 'started' && reply.status === 200) run.state = 'completed';
    if (run.state !== 'completed') return void refused(reply, [409, 'run_not_completed']);
    succeeded(reply, 200);
    sameRows(reply, workspace);
  },
);

export const readUsage: Maker = (model, dice) => {
  const call = byKey(model, dice);
  if (!call) return undefined;
  return {
    caller: call.caller,
    method: 'GET',
    path: `${call.base}/usage`,
    judge: (now, reply) => {
      if (refused(reply, call.unnamedRefusal(now))) return;
      succeeded(reply, 200);
      const { quota, used, overage } = reply.body;
      same([quota, overage], [PLANS[call.organization(now).plan].monthly_runs, 0], 'usage');
      sameUsed(call.organization(now), used);
    },
  };
};

/** The counted runs according to a reply. @throws {Refuted} if there cannot be so many */
export function sameUsed(organization: Organization, returned: unknown): void {
  const { used, unclear } = organization;
  must(
    Number(returned) <= used && Number(returned) >= used - unclear,
    `used: ${String(returned)}, not ${used} less ${unclear} at most`,
  );
  organization.used = Number(returned);
  organization.unclear = 0;
}

/** A run that was started goes on, and ends by itself in no way but well. */
export function sameRun(returned: Item, run: Run): void {
  if (run.state === 'started' && returned['status'] === 'completed') run.state = 'completed';
  const allowed = run.state === 'started' ? ['queued', 'running'] : [run.state];
  must(
    allowed.includes(String(returned['status'])),
    `run ${run.id}: ${JSON.stringify(returned)}, not ${allowed.join(' or ')}`,
  );
  same([returned['id'], returned['billed'] !== null], [run.id, run.billed], 'run');
}

/** Rows of series that are still there, each month once, with what stands for it. */
export function sameRows(reply: Reply, workspace: Workspace): void {
  const rows = items(reply) as unknown as readonly ForecastRow[];
  same(new Set(rows.map((row) => row.unique_id + row.ds)).size, rows.length, 'rows, each once');
  for (const row of rows) {
    const series = workspace.series.find(({ uniqueId }) => uniqueId === row.unique_id);
    must(series !== undefined, `a forecast of ${row.unique_id}, which is gone`);
    must(0 <= row.q10 && row.q10 <= row.q50 && row.q50 <= row.q90, `quantiles in order: ${JSON.stringify(row)}`);
    same(row.product_name, series.productName, 'product_name');
    const expected = finalOf(row.q50, series.overrides[row.ds.slice(0, 7)]);
    must(Math.abs(row.final - expected) <= 1e-4 * Math.max(1, expected), `final ${row.final}, not ${expected}`);
  }
}

interface ForecastRow {
  readonly unique_id: string;
  readonly ds: string;
  readonly q10: number;
  readonly q50: number;
  readonly q90: number;
  readonly final: number;
  readonly product_name: string | null;
}

function finalOf(median: number, override: Override | undefined): number {
  if (!override) return median;
  if (override.kind === 'absolute') return override.value;
  return override.kind === 'delta' ? median + override.value : median * (1 + override.value / 100);
}
