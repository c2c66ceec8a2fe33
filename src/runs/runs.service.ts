import { Injectable } from '@nestjs/common';
import { type AuditActor, recordAudit } from '../access/index.js';
import { fewestMonths, formatMonth, type MonthNumber, parseMonth } from '../forecasting/index.js';
import { Clock } from '../platform/clock.js';
import { Database, type Transaction } from '../platform/database/database.js';
import { readPublished } from '../platform/database/publication.js';
import { decodeCursor, type Page, toPage } from '../platform/http/pagination.js';
import { Problem } from '../platform/http/problem.js';
import { isId, newId } from '../platform/ids.js';
import { hasHistory } from '../series/index.js';
import { RunBilling } from '../usage/index.js';
import type { PlanName } from '../../config/plans.js';
import type { ConfigOverridesDto } from './dto/start-run.dto.js';
import { type RunFilterDto, RUNS_PAGE } from './dto/list-runs.dto.js';
import type { Run, RunTrigger } from './run.js';
import { DEFAULT_RUN_CONFIG, type RunConfig, selection } from './run-config.js';
import { resolveCutoff } from './run-cutoff.js';
import { refuseUnknownSeries } from './run-selection.js';
import { findRun, insertRun, listRuns, type RunScope } from './runs.queries.js';
import { RunWaker } from './run-waker.js';

export interface StartRun {
  readonly organizationId: string;
  readonly plan: PlanName;
  readonly workspaceId: string;
  readonly trigger: RunTrigger;
  readonly config: RunConfig;
  readonly actor: AuditActor;
}

/** Starts, lists and reads runs; computing them is the worker's part (run-worker.ts). */
@Injectable()
export class RunsService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly waker: RunWaker,
    private readonly billing: RunBilling,
  ) {}

  /**
   * Charges and records a run inside the caller's transaction: either both happen or neither. Call {@link wake} after
   * the commit.
   * @throws {Problem} 400 `invalid_request`, 400 `no_usable_series` (nothing charged), 402 `quota_exceeded`
   */
  async start(tx: Transaction, run: StartRun): Promise<Run> {
    const tenant = { organizationId: run.organizationId, workspaceId: run.workspaceId };
    const lastMonth = await resolveCutoff(tx, tenant, run.config.cutoff);
    await refuseUnknownSeries(tx, tenant, run.config.series);
    const needed = { ...neededMonths(run.config), lastMonth };
    if (!(await hasHistory(tx, tenant, selection(run.config), needed))) throw noUsableSeries(run.config, lastMonth);
    const id = newId();
    const now = this.clock.now();
    const billed = await this.billing.charge(tx, {
      organizationId: run.organizationId,
      plan: run.plan,
      runId: id,
      now,
    });
    const stored = await insertRun(tx, { ...run, id, billed, createdAt: now });
    await recordAudit(tx, {
      organizationId: run.organizationId,
      actor: run.actor,
      action: 'run.started',
      target: { kind: 'run', id },
      details: { workspace_id: run.workspaceId, trigger: run.trigger, billed },
      occurredAt: now,
    });
    return stored;
  }

  /** Wakes a worker for what has been committed; never fails, workers look for themselves in time. */
  async wake(): Promise<void> {
    await this.waker.wake();
  }

  /** @throws {Problem} 404 */
  async get(scope: RunScope, runId: string): Promise<Run> {
    const run = isId(runId) ? await findRun(this.database, scope, runId) : undefined;
    if (!run) throw Problem.notFound('run');
    return run;
  }

  async list(scope: RunScope, query: RunFilterDto): Promise<Page<Run>> {
    const limit = query.limit ?? RUNS_PAGE.default;
    const filter = {
      limit,
      ...(query.status === undefined ? {} : { status: query.status === 'complete' ? 'completed' : query.status }),
      ...(query.since === undefined ? {} : { finishedAfter: query.since }),
      ...(query.cursor === undefined ? {} : { after: decodeCursor(query.cursor, ['instant', 'id']) }),
    };
    const runs = await readPublished(this.database, scope.organizationId, (db) => listRuns(db, scope, filter));
    return toPage(runs, limit, ({ id, created_at: created, finished_at: finished }) => [
      query.since === undefined ? created : (finished ?? created),
      id,
    ]);
  }
}

/** Effective configuration: what the caller gave over the defaults. */
export function effectiveConfig(overrides: ConfigOverridesDto | undefined): RunConfig {
  const given = Object.fromEntries(
    Object.entries(overrides ?? {}).filter(([, value]) => value !== undefined),
  ) as Partial<RunConfig>;
  const cutoff = overrides?.cutoff === undefined ? null : formatMonth(parseMonth(overrides.cutoff));
  return { ...DEFAULT_RUN_CONFIG, ...given, cutoff };
}

/** Months that a series must have for the run to forecast it, and those that do where all are alike. */
function neededMonths({ min_history: asked, models }: RunConfig): { months: number; constantMonths: number } {
  return { months: Math.max(asked, fewestMonths(models)), constantMonths: asked };
}

function noUsableSeries(config: RunConfig, lastMonth: MonthNumber): Problem {
  const { series, models, cutoff } = config;
  const { months } = neededMonths(config);
  const byModels = fewestMonths(models) === months && months > 1;
  const needed = `demand in ${months === 1 ? 'a month' : `${months} months`} up to ${formatMonth(lastMonth).slice(0, 7)}`;
  const why = byModels ? `, which ${models.join(', ')} ${models.length === 1 ? 'needs' : 'need at least'}` : '';
  const which = series === null ? 'No series of the workspace' : 'No series that config_overrides.series selects';
  const narrowing = [
    ...(series === null ? [] : ['config_overrides.series']),
    ...(config.min_history === months && months > 1 ? ['config_overrides.min_history'] : []),
    ...(byModels ? ['config_overrides.models'] : []),
    ...(cutoff === null ? [] : ['config_overrides.cutoff']),
  ];
  return new Problem(400, 'no_usable_series', `${which} has ${needed}${why}; upload it with POST /api/v1/actuals.`, {
    errors: (narrowing.length > 0 ? narrowing : ['workspace_id']).map((param) => ({
      param,
      message: `leaves no series with ${needed}`,
    })),
  });
}
