import { fewestMonths, formatMonth, type MonthNumber, monthInWords } from '../../forecasting/index.js';
import type { Queryable } from '../../platform/database/database.js';
import type { WorkspaceTenant } from '../../platform/database/scope.js';
import { Problem } from '../../platform/http/problem.js';
import { findHistoryEnd, hasCurrentSeries, hasHistory, hasSeries, selectSeries } from '../../series/index.js';
import { type RunConfig, selection, type SeriesSelection } from '../run-config.js';

/** What to do without demand: members, whatever their plan, cannot upload where keys do. */
const UPLOAD = 'Upload demand with POST /api/v1/actuals, or as a member with POST /workspaces/{workspace_id}/imports.';

/** Maximum number of unknown series that a refusal names. */
const NAMED = 5;

/**
 * Refuses a selection if the workspace has none of the named series, none of them in the category, or if others have replaced them all.
 * If only some are missing, the run skips them and its metrics name them, since callers' lists outlive the series on them.
 * @throws {Problem} 400 `no_usable_series` naming `config_overrides.series.unique_ids` or `config_overrides.series.category`
 */
export async function refuseUnknownSeries(
  db: Queryable,
  tenant: WorkspaceTenant,
  selected: SeriesSelection | null | undefined,
): Promise<void> {
  const { unique_ids: asked, category } = selected ?? {};
  if (asked !== undefined) {
    const { unknown } = await selectSeries(db, tenant, { uniqueIds: asked });
    if (unknown.length === asked.length) throw unknownSeries('unique_ids', `series ${listed(unknown)}`);
  }
  if (category !== undefined) {
    const inCategory = `in the category ${JSON.stringify(category)}`;
    if (!(await hasSeries(db, tenant, { category }))) throw unknownSeries('category', `series ${inCategory}`);
    if (asked !== undefined && !(await hasSeries(db, tenant, { uniqueIds: asked, category })))
      throw noSeries('unique_ids', `none of these series is ${inCategory}`);
  }
  if (selected && !(await hasCurrentSeries(db, tenant, { uniqueIds: asked, category })))
    throw noSeries(
      asked === undefined ? 'category' : 'unique_ids',
      'others have replaced all of these series: list those instead',
    );
}

function listed(unknown: readonly string[]): string {
  const named = unknown.slice(0, NAMED).map((uniqueId) => JSON.stringify(uniqueId));
  return `${named.join(', ')}${unknown.length > NAMED ? ` and ${unknown.length - NAMED} more` : ''}`;
}

function unknownSeries(member: keyof SeriesSelection, what: string): Problem {
  return noSeries(member, `the workspace has no ${what}`);
}

function noSeries(member: keyof SeriesSelection, message: string): Problem {
  const param = `config_overrides.series.${member}`;
  return new Problem(400, 'no_usable_series', `${param}: ${message}`, { errors: [{ param, message }] });
}

/**
 * Refuses a configuration with which none of the workspace's series could be forecast.
 * @param latest the cutoff of the run, else the last month that is over
 * @throws {Problem} 400 `no_usable_series` naming the responsible settings
 */
export async function requireUsableSeries(
  db: Queryable,
  tenant: WorkspaceTenant,
  config: RunConfig,
  latest: MonthNumber,
): Promise<void> {
  await refuseUnknownSeries(db, tenant, config.series);
  const requireHistory = async (lastMonth: MonthNumber, leftOut: MonthNumber | null): Promise<void> => {
    const needed = { ...neededMonths(config), lastMonth };
    if (!(await hasHistory(db, tenant, selection(config), needed))) throw noUsableSeries(config, lastMonth, leftOut);
  };
  await requireHistory(latest, null); // first, since finding an incomplete month takes longer
  if (config.cutoff !== null) return;
  const { incompleteMonth } = await findHistoryEnd(db, tenant);
  if (incompleteMonth !== null) await requireHistory(incompleteMonth - 1, incompleteMonth);
}

/** Number of months of history that a series needs, and how many are enough if demand is the same in all of them. */
function neededMonths({ min_history: asked, models }: RunConfig): { months: number; constantMonths: number } {
  return { months: Math.max(asked, fewestMonths(models)), constantMonths: asked };
}

function noUsableSeries(config: RunConfig, lastMonth: MonthNumber, leftOut: MonthNumber | null): Problem {
  const { series, models, cutoff } = config;
  const { months } = neededMonths(config);
  const byModels = fewestMonths(models) === months && months > 1;
  const needed = `demand in ${months === 1 ? 'a month' : `${months} months`} up to ${formatMonth(lastMonth).slice(0, 7)}`;
  const why = byModels ? `, which ${models.join(', ')} ${models.length === 1 ? 'requires' : 'require at least'}` : '';
  const unlessCutoff =
    leftOut === null
      ? ''
      : ` ${monthInWords(leftOut)} lacks its last days and is left out; to use it, set it as the cutoff.`;
  const which = series === null ? 'No series in the workspace' : 'No series selected by config_overrides.series';
  const narrowing = [
    ...(series === null ? [] : ['config_overrides.series']),
    ...(config.min_history === months && months > 1 ? ['config_overrides.min_history'] : []),
    ...(byModels ? ['config_overrides.models'] : []),
    ...(cutoff === null && leftOut === null ? [] : ['config_overrides.cutoff']),
  ];
  return new Problem(400, 'no_usable_series', `${which} has ${needed}${why}. ${UPLOAD}${unlessCutoff}`, {
    errors: (narrowing.length > 0 ? narrowing : ['workspace_id']).map((param) => ({
      param,
      message: `leaves no series that has ${needed}`,
    })),
  });
}
