import type { Model, Organization } from '../model.js';
import { must, same } from '../operation.js';
import { monthsOf, sameSeries } from '../operations/demand.js';
import { sameRows, sameRun, tellUsed } from '../operations/runs.js';
import type { Item } from '../world.js';
import type { Told } from './told.js';

/** Which runs of a deleted workspace a worker had taken up, no reply tells: the log tells it of each that none had. */
const GIVEN_BACK = 'run.billing_changed';

/** The service reports exactly what the model holds about an organization. @throws {Refuted} */
export function compare(model: Model, organization: Organization, told: Told): void {
  const { workspaces } = organization;
  same(setOf(told.workspaces, 'id'), setOf(workspaces, 'id'), 'workspaces');
  tellUsed(organization, told.usage['used']);
  const actions = told.audit.map(({ action }) => action);
  same(actions.filter((action) => action !== GIVEN_BACK).sort(), [...organization.audited].sort(), 'audit log');
  const count = (action: string): number => actions.filter((other) => other === action).length;
  same(
    told.usage['used'],
    organization.usedBefore + count('run.started') - count(GIVEN_BACK),
    'used, by the audit log',
  );
  const scheduled = workspaces.filter(({ schedule }) => schedule !== null);
  same(new Set(told.scheduled), setOf(scheduled, 'id'), 'scheduled');
  same(told.runs.length, workspaces.flatMap(({ runs }) => runs).length, 'number of runs');
  same(told.series.length, workspaces.flatMap(({ series }) => series).length, 'number of series');
  for (const workspace of workspaces) {
    const within = (list: readonly Item[]): Item[] => list.filter((item) => item['workspace_id'] === workspace.id);
    for (const run of workspace.runs) {
      sameRun(within(told.runs).find(({ id }) => id === run.id) ?? {}, run);
      if (run.state === 'completed') sameRows(told.forecasts.get(run.id)!, workspace);
    }
    for (const series of workspace.series) {
      const stored = within(told.series).find((item) => item['unique_id'] === series.uniqueId);
      sameSeries(stored ?? {}, series);
      same(told.months.get(series.id), monthsOf(series), 'months');
      sameOverrides(
        told.overrides.filter((item) => item['series_id'] === series.id),
        series,
      );
    }
    const ids = new Set<unknown>(workspace.series.map(({ id }) => id));
    const about = [...within(told.overrides), ...within(told.alerts)];
    must(
      about.every((item) => ids.has(item['series_id'])),
      'nothing is left of a series that is gone',
    );
  }
  const gone = new Set<unknown>(Object.values(model.gone).flat());
  const alive = [...told.runs, ...told.series, ...told.workspaces].filter(({ id }) => gone.has(id));
  same(alive, [], 'what is gone');
}

/** The history, newest first, in order; of it stands what the model says. */
function sameOverrides(history: readonly Item[], series: Organization['workspaces'][number]['series'][number]): void {
  same(history.length, series.overridesPut, 'overrides ever put');
  const standing = history.filter(({ active }) => active === true);
  const told = standing.map(({ month, kind, value }) => [String(month).slice(0, 7), { kind, value }] as const);
  same(Object.fromEntries(told), series.overrides, 'standing overrides');
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
