import { Injectable } from '@nestjs/common';
import {
  type ApiCaller,
  Idempotency,
  type MemberCaller,
  recordAuditBy,
  requestHash,
  type ReplayableReply,
  type TenantCaller,
} from '../../access/index.js';
import { Clock } from '../../platform/clock.js';
import { Database, type Transaction } from '../../platform/database/database.js';
import { Problem } from '../../platform/http/problem.js';
import { requireById } from '../../platform/http/require-by-id.js';
import { canonicalId, isId } from '../../platform/ids.js';
import { RunEvents } from '../monitoring/run-events.js';
import type { RunDto } from '../dto/run.dto.js';
import { findRun } from '../runs.queries.js';
import { abandonRun } from './abandon-run.js';

/** Cancels runs at the request of callers. */
@Injectable()
export class RunCanceler {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly idempotency: Idempotency,
    private readonly events: RunEvents,
  ) {}

  /**
   * For the public API, with an optional Idempotency-Key.
   * @throws {Problem} as {@link cancelByMember}; 409 and 422 of the Idempotency-Key
   */
  async cancel(caller: ApiCaller, key: string | undefined, runId: string): Promise<ReplayableReply<RunDto>> {
    let changed = false;
    const hash = requestHash('cancel-run', { runId: canonicalId(runId) });
    const stored = await this.idempotency.run(caller, key, hash, async (tx) => {
      const { run, ...canceled } = await this.cancelIn(tx, caller, runId);
      changed = canceled.changed;
      return { status: 200, headers: {}, body: run };
    });
    if (changed) this.events.reportRun('canceled', caller.organizationId, stored.body);
    return stored;
  }

  /**
   * Cancels an unfinished run; a no-op for one that is already canceled. If no worker had begun it, its charge is refunded.
   * @throws {Problem} 404, 409 `run_already_finished`
   */
  async cancelByMember(member: MemberCaller, runId: string): Promise<RunDto> {
    const { run, changed } = await this.database.transaction((tx) => this.cancelIn(tx, member, runId));
    if (changed) this.events.reportRun('canceled', member.organizationId, run);
    return run;
  }

  private async cancelIn(
    tx: Transaction,
    caller: TenantCaller,
    runId: string,
  ): Promise<{ readonly run: RunDto; readonly changed: boolean }> {
    const run = isId(runId) ? await abandonRun(tx, caller, runId, { status: 'canceled' }) : undefined;
    if (!run) return { run: await requireCanceled(tx, caller, runId), changed: false };
    await recordAuditBy(tx, caller, {
      action: 'run.canceled',
      target: { kind: 'run', id: run.id },
      details: { workspace_id: run.workspace_id },
      now: this.clock.now(),
    });
    return { run, changed: true };
  }
}

/** The run, which has already ended. @throws {Problem} 404; 409 unless it was canceled */
async function requireCanceled(tx: Transaction, caller: TenantCaller, runId: string): Promise<RunDto> {
  const run = await requireById('run', runId, (id) => findRun(tx, caller, id));
  if (run.status === 'canceled') return run;
  throw new Problem(409, 'run_already_finished', `The run has already ${run.status} and cannot be canceled.`);
}
