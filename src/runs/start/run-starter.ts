import { Injectable } from '@nestjs/common';
import type { PlanName } from '../../../config/plans.js';
import {
  actorOf,
  type ApiCaller,
  type AuditActor,
  Idempotency,
  type MemberCaller,
  recordAudit,
  requestHash,
  type ReplayableReply,
  type StoredReply,
  tenantOf,
  WorkspaceScope,
} from '../../access/index.js';
import { Clock } from '../../platform/clock.js';
import { Database, type Transaction } from '../../platform/database/database.js';
import type { WorkspaceTenant } from '../../platform/database/scope.js';
import { POLL_AFTER_SECONDS } from '../../platform/http/replies/polling.js';
import { newId } from '../../platform/ids.js';
import { Slots } from '../../platform/work/slots.js';
import { demandVersion, holdWorkspace } from '../../series/index.js';
import { RunBilling } from '../../usage/index.js';
import type { StartRunDto, StartWorkspaceRunDto } from '../dto/start-run.dto.js';
import type { RunConfig } from '../run-config.js';
import type { RunDto, RunTrigger } from '../dto/run.dto.js';
import { insertRun } from '../runs.queries.js';
import { RunWaker } from '../wake-ups/run-waker.js';
import { resolveCutoff } from './cutoff.js';
import { comparedConfig, effectiveConfig } from './effective-config.js';
import { requireUsableSeries } from './usable-series.js';

/**
 * Before it is charged, a start reads the workspace's demand, which takes .2 s for 2,000 series: sixty at once made other requests
 * wait for 7 s.
 */
const SLOTS = { total: 4, perOrganization: 2 };

export interface StartRun extends WorkspaceTenant {
  readonly plan: PlanName;
  readonly trigger: RunTrigger;
  readonly config: RunConfig;
  readonly actor: AuditActor;
}

/** Starts runs, on request and on schedule. */
@Injectable()
export class RunStarter {
  private readonly slots = new Slots('run starts', SLOTS);

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly workspaces: WorkspaceScope,
    private readonly idempotency: Idempotency,
    private readonly billing: RunBilling,
    private readonly waker: RunWaker,
  ) {}

  /**
   * `POST /runs` and its alias `POST /forecasts`: one operation with shared idempotency keys.
   * @throws {Problem} as {@link startIn}; 429 or 503 if too many start at once
   */
  async start(caller: ApiCaller, key: string | undefined, body: StartRunDto): Promise<ReplayableReply<RunDto>> {
    const tenant = await this.workspaces.resolveOne(caller, body.workspace_id);
    const config = effectiveConfig(body.config_overrides);
    const hash = requestHash('start-run', {
      workspaceId: tenant.workspaceId,
      config: comparedConfig(body.config_overrides),
    });
    const effect = async (tx: Transaction): Promise<StoredReply<RunDto>> => {
      const start: StartRun = { ...tenant, plan: caller.plan, trigger: 'api', config, actor: actorOf(caller) };
      const run = await this.startIn(tx, start);
      return {
        status: 202,
        headers: { location: `/api/v1/runs/${run.id}`, 'retry-after': POLL_AFTER_SECONDS },
        body: run,
      };
    };
    const stored = await this.slots.run(caller, () => this.idempotency.run(caller, key, hash, effect));
    if (!stored.replayed) await this.waker.wake();
    return stored;
  }

  /** For the workspace in the path of an application route. @throws {Problem} as {@link start} */
  async startByMember(member: MemberCaller, body: StartWorkspaceRunDto): Promise<RunDto> {
    const start: StartRun = {
      ...tenantOf(member),
      plan: member.plan,
      trigger: 'app',
      config: effectiveConfig(body.config_overrides),
      actor: actorOf(member),
    };
    const run = await this.slots.run(start, () => this.database.transaction((tx) => this.startIn(tx, start)));
    await this.waker.wake();
    return run;
  }

  /**
   * Charges and records a run in the caller's transaction: both happen, or neither. The caller wakes workers after the commit.
   * @throws {Problem} 400 `invalid_request`, 400 `no_usable_series` (nothing charged), 402 `quota_exceeded`
   */
  async startIn(tx: Transaction, run: StartRun): Promise<RunDto> {
    const { organizationId, workspaceId, trigger, config } = run;
    await holdWorkspace(tx, run); // before the counters, which the workspace's deletion locks last
    const lastMonth = await resolveCutoff(tx, run, config.cutoff);
    await requireUsableSeries(tx, run, config, lastMonth);
    const id = newId();
    const now = this.clock.now();
    const billed = await this.billing.charge(tx, { organizationId, plan: run.plan, runId: id, now });
    // read before the run reads any demand: what is uploaded while it computes has changed since
    const version = await demandVersion(tx, run);
    const charged = { trigger, config, billed, createdAt: now, demandVersion: version };
    const stored = await insertRun(tx, { id, organizationId, workspaceId, ...charged });
    await recordAudit(tx, {
      organizationId,
      actor: run.actor,
      action: 'run.started',
      target: { kind: 'run', id },
      details: { workspace_id: workspaceId, trigger, billed },
      now,
    });
    return stored;
  }
}
