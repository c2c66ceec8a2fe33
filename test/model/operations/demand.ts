import { byEither, byMember } from '../admission.js';
import type { Dice } from '../dice.js';
import { findSeries, findWorkspace, type Model, type Series, type Workspace } from '../model.js';
import { type Maker, NOT_FOUND, refused, same, succeeded } from '../operation.js';
import { items } from '../world.js';
import { repetitionOf } from './idempotency.js';

const NAMES = ['A', 'B', 'C/ü'] as const;
const MONTHS = ['2025-11', '2025-12', '2026-01', '2026-02', '2026-09', '2026-10'] as const;

export interface Row {
  readonly unique_id: string;
  /** A month, or a day. */
  readonly ds: string;
  readonly y: number;
  readonly product_name?: string;
}

/** The id or unique_id of a series of the workspace, or once in a while of none. */
export function pickSeries(model: Model, dice: Dice, workspaceId: string): string {
  const found = findWorkspace(model, workspaceId);
  const known = dice.pickOf(found?.workspace.series ?? []);
  if (known && !dice.once(8)) return dice.once(2) ? (known.id ?? known.uniqueId) : known.uniqueId;
  return dice.pick([`${found?.organization.marker}-${dice.pick(NAMES)}`, ...model.gone.series]);
}

/** What a workspace holds after an upload. */
export function store(
  workspace: Workspace,
  rows: readonly Row[],
): { readonly created: number; readonly updated: number } {
  const before = workspace.series.length;
  for (const row of rows) {
    let series = findSeries(workspace, row.unique_id);
    if (!series) {
      series = { id: null, uniqueId: row.unique_id, productName: null, months: {}, overrides: {}, overridesPut: 0 };
      workspace.series.push(series);
    }
    series.productName = row.product_name ?? series.productName;
    const month = row.ds.slice(0, 7);
    const known = series.months[month];
    series.months[month] = row.ds === month ? row.y : { ...(typeof known === 'object' && known), [row.ds]: row.y };
  }
  const created = workspace.series.length - before;
  return { created, updated: new Set(rows.map((row) => row.unique_id)).size - created };
}

/** Stored months as the API tells them. */
export function monthsOf(series: Series): unknown[] {
  const ordered = <Value>(record: Record<string, Value>): [string, Value][] =>
    Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1));
  return ordered(series.months).map(([month, demand]) => {
    if (typeof demand === 'number') return { month: `${month}-01`, y: demand, days: null };
    const days = ordered(demand).map(([ds, y]) => ({ ds, y }));
    return { month: `${month}-01`, y: days.reduce((sum, { y }) => sum + y, 0), days };
  });
}

export function sameSeries(returned: Readonly<Record<string, unknown>>, series: Series): void {
  series.id ??= String(returned['id']);
  const months = Object.keys(series.months).sort();
  const day = (month: string | undefined): string | null => (month === undefined ? null : `${month}-01`);
  same(
    [
      returned['id'],
      returned['unique_id'],
      returned['product_name'],
      returned['first_month'],
      returned['last_month'],
      returned['observations'],
    ],
    [series.id, series.uniqueId, series.productName, day(months[0]), day(months.at(-1)), months.length],
    'series',
  );
}

/** A few rows, of which none gives a month and days of it. */
function pickRows(dice: Dice, marker: string): Row[] {
  const rows = new Map<string, Row>();
  const isFigure = new Map<string, boolean>();
  const product = dice.once(3) ? { product_name: `${marker} soap ${dice.below(4)}` } : {};
  for (let count = 1 + dice.below(5); count > 0; count -= 1) {
    const uniqueId = `${marker}-${dice.pick(NAMES)}`;
    const month = dice.pick(MONTHS);
    const figure = isFigure.get(uniqueId + month) ?? dice.once(2);
    isFigure.set(uniqueId + month, figure);
    const ds = figure ? month : `${month}-${dice.pick(['01', '15', '28'])}`;
    rows.set(uniqueId + ds, { unique_id: uniqueId, ds, y: dice.below(50), ...product });
  }
  return [...rows.values()];
}

export const upload: Maker = (model, dice, cast) => {
  const call = byEither(model, dice, cast, 'member');
  if (!call) return undefined;
  const rows = pickRows(dice, call.organization(model).marker);
  const key = call.keyId !== null && dice.once(3) ? `upload ${dice.below(3)}` : undefined;
  const body = call.keyId === null ? { rows } : { workspace_id: call.workspaceId, rows };
  return {
    caller: call.caller,
    method: 'POST',
    path: call.base + (call.keyId === null ? '/imports' : '/actuals'),
    body,
    headers: key === undefined ? undefined : { 'idempotency-key': key },
    judge: (now, reply) => {
      if (refused(reply, call.refusal(now))) return;
      const { refusal, former, keep } = repetitionOf(now, call, { key, body });
      if (refused(reply, refusal)) return;
      succeeded(reply, 200);
      same(reply.headers.has('idempotent-replayed'), former !== undefined, 'replayed');
      if (former !== undefined) return same(reply.body['import_id'], former, 'import');
      const { created, updated } = store(call.workspace(now), rows);
      const { rows: read, series_created: made, series_updated: changed } = reply.body;
      same([read, made, changed], [rows.length, created, updated], 'report');
      call.organization(now).audited.push('demand.uploaded');
      keep(String(reply.body['import_id']));
    },
  };
};

/** Names products without demand: of series that all exist. */
export const describeSeries: Maker = (model, dice, cast) => {
  const call = byEither(model, dice, cast, 'member');
  if (!call) return undefined;
  const { marker } = call.organization(model);
  const first = dice.pick(NAMES);
  const rows = NAMES.filter((name) => name === first || dice.once(3)).map((name) => ({
    unique_id: `${marker}-${name}`,
    product_name: `${marker} soap ${dice.below(4)}`,
  }));
  return {
    caller: call.caller,
    method: 'POST',
    path: call.base + (call.keyId === null ? '/imports' : '/actuals'),
    body: call.keyId === null ? { rows } : { workspace_id: call.workspaceId, rows },
    judge: (now, reply) => {
      if (refused(reply, call.refusal(now))) return;
      const workspace = call.workspace(now);
      const named = rows.flatMap((row) => {
        const series = findSeries(workspace, row.unique_id);
        return series ? [{ series, row }] : [];
      });
      if (named.length < rows.length) return void refused(reply, [400, 'invalid_data']);
      succeeded(reply, 200);
      for (const { series, row } of named) series.productName = row.product_name;
      const { rows: read, series_created: made, series_updated: changed, months } = reply.body;
      same([read, made, changed, months], [rows.length, 0, rows.length, null], 'report');
      call.organization(now).audited.push('demand.uploaded');
    },
  };
};

export const readDemand: Maker = (model, dice, cast) => {
  const call = byEither(model, dice, cast, 'viewer');
  if (!call) return undefined;
  const name = pickSeries(model, dice, call.workspaceId);
  const months = dice.once(2);
  const query = call.keyId === null ? '' : `?workspace_id=${call.workspaceId}`;
  return {
    caller: call.caller,
    method: 'GET',
    path: `${call.base}/series/${encodeURIComponent(name)}${months ? '/actuals' : ''}${query}`,
    judge: (now, reply) => {
      if (refused(reply, call.refusal(now))) return;
      const series = findSeries(call.workspace(now), name);
      if (!series) return void refused(reply, NOT_FOUND);
      succeeded(reply, 200);
      if (months) same(items(reply), monthsOf(series), 'months');
      else sameSeries(reply.body, series);
    },
  };
};

export const editSeries: Maker = (model, dice, cast) => {
  const call = byMember(model, dice, cast, 'member');
  if (!call) return undefined;
  const name = pickSeries(model, dice, call.workspaceId);
  const productName = dice.pick([null, `${call.organization(model).marker} towel`]);
  return {
    caller: call.caller,
    method: 'PATCH',
    path: `${call.base}/series/${encodeURIComponent(name)}`,
    body: { product_name: productName },
    judge: (now, reply) => {
      if (refused(reply, call.refusal(now))) return;
      const series = findSeries(call.workspace(now), name);
      if (!series) return void refused(reply, NOT_FOUND);
      succeeded(reply, 200);
      if (series.productName !== productName) call.organization(now).audited.push('series.edited');
      series.productName = productName;
      sameSeries(reply.body, series);
    },
  };
};

export const deleteSeries: Maker = (model, dice, cast) => {
  const call = byMember(model, dice, cast, 'admin');
  if (!call) return undefined;
  const name = pickSeries(model, dice, call.workspaceId);
  return {
    caller: call.caller,
    method: 'DELETE',
    path: `${call.base}/series/${encodeURIComponent(name)}`,
    judge: (now, reply) => {
      if (refused(reply, call.refusal(now))) return;
      const workspace = call.workspace(now);
      const series = findSeries(workspace, name);
      if (!series) return void refused(reply, NOT_FOUND);
      succeeded(reply, 204);
      workspace.series = workspace.series.filter((other) => other !== series);
      workspace.alerts = workspace.alerts.filter(({ uniqueId }) => uniqueId !== series.uniqueId);
      if (series.id !== null) now.gone.series.push(series.id);
      call.organization(now).audited.push('series.deleted');
    },
  };
};

export const deleteDemand: Maker = (model, dice, cast) => {
  const call = byMember(model, dice, cast, 'member');
  if (!call) return undefined;
  const name = pickSeries(model, dice, call.workspaceId);
  const [from = '', to = ''] = [dice.pick(MONTHS), dice.pick(MONTHS)].sort();
  return {
    caller: call.caller,
    method: 'DELETE',
    path: `${call.base}/series/${encodeURIComponent(name)}/actuals?from=${from}&to=${to}`,
    judge: (now, reply) => {
      if (refused(reply, call.refusal(now))) return;
      const series = findSeries(call.workspace(now), name);
      if (!series) return void refused(reply, NOT_FOUND);
      succeeded(reply, 204);
      for (const month of Object.keys(series.months)) if (month >= from && month <= to) delete series.months[month];
      call.organization(now).audited.push('demand.deleted');
    },
  };
};
