import type { Model, Organization } from '../model.js';
import { must, same } from '../operation.js';
import { monthsOf, sameSeries } from '../operations/demand.js';
import { sameRows, sameRun, sameUsed } from '../operations/runs.js';
import type { Item } from '../world.js';
import type { Returned } from './returned.js';

/** Which runs of a deleted workspace a worker had taken up, no reply tells: the log tells it of each that none had. */
const GIVEN_BACK = 'run.billing_changed';

/** The service reports exactly what the model holds about an organization. @throws {Refuted} */
export function compare(model: Model, organization: Organization, returned: Returned): void {
  const { workspaces } = organization;
  same(setOf(returned.workspaces, 'id'), setOf(workspaces, 'id'), 'workspaces');
  sameUsed(organization, returned.usage['used']);
  const actions = returned.audit.map(({ action }) => action);
  same(actions.filter((action) => action !== GIVEN_BACK).sort(), [...organization.audited].sort(), 'audit log');
  const count = (action: string): number => actions.filter((other) => other === action).length;
  same(
    returned.usage['used'],
    organization.usedBefore + count('run.started') - count(GIVEN_BACK),
    'used, by the audit log',
  );
  const scheduled = workspaces.filter(({ schedule }) => schedule !== null);
  same(new Set(returned.scheduled), setOf(scheduled, 'id'), 'scheduled');
  same(returned.runs.length, workspaces.flatMap(({ runs }) => runs).length, 'number of runs');
  same(returned.series.length, workspaces.flatMap(({ series }) => series).length, 'number of series');
  for (const workspace of workspaces) {
    const within = (list: readonly Item[]): Item[] => list.filter((item) => item['workspace_id'] === workspace.id);
    for (const run of workspace.runs) {
      sameRun(within(returned.runs).find(({ id }) => id === run.id) ?? {}, run);
      if (run.state === 'completed') sameRows(returned.forecasts.get(run.id)!, workspace);
    }
    for (const series of workspace.series) {
      const stored = within(returned.series).find((item) => item['unique_id'] === series.uniqueId);
      sameSeries(stored ?? {}, series);
      same(returned.months.get(series.id), monthsOf(series), 'months');
      sameOverrides(
        returned.overrides.filter((item) => item['series_id'] === series.id),
        series,
      );
    }
    const ids = new Set<unknown>(workspace.series.map(({ id }) => id));
    const about = [...within(returned.overrides), ...within(returned.alerts)];
    must(
      about.every((item) => ids.has(item['series_id'])),
      'nothing is left of a series that is gone',
    );
  }
  const gone = new Set<unknown>(Object.values(model.gone).flat());
  const alive = [...returned.runs, ...returned.series, ...returned.workspaces].filter(({ id }) => gone.has(id));
  same(alive, [], 'what is gone');
}

/** The history, newest first, in order; of it stands what the model says. */
function sameOverrides(history: readonly Item[], series: Organization['workspaces'][number]['series'][number]): void {
  same(history.length, series.overridesPut, 'overrides ever put');
  const standing = history.filter(({ active }) => active === true);
  const returned = standing.map(({ month, kind, value }) => [String(month).slice(0, 7), { kind, value }] as const);
  same(Object.fromEntries(returned), series.overrides, 'standing overrides');
  const dates = history.map(({ created_at: put, ended_at: ended }) => [put as string, ended as string | null] as const);
  must(
    dates.every(([put, ended]) => ended === null || ended >= put),
    'what was put ends later',
  );
  const puts = dates.map(([put]) => put);
  same(puts, puts.toSorted().reverse(), 'the history, newest first');
}

const setOf = <Name extends string>(list: readonly Readonly<Record<Name, unknown>>[], name: Name): Set<unknown> =>
  new Set(list.map((item) => item[name]));
