import { Injectable } from '@nestjs/common';
import {
  actorOf,
  type ApiCaller,
  Idempotency,
  type MemberCaller,
  requestHash,
  type StoredReply,
  WorkspaceScope,
} from '../access/index.js';
import { Database } from '../platform/database/database.js';
import { POLL_AFTER_SECONDS } from '../platform/http/polling.js';
import type { WorkspaceTenant } from '../series/index.js';
import type { StartRunDto, StartWorkspaceRunDto } from './dto/start-run.dto.js';
import type { Run } from './run.js';
import { effectiveConfig, RunsService } from './runs.service.js';

/** Starts the runs that callers ask for. */
@Injectable()
export class RunStarter {
  constructor(
    private readonly database: Database,
    private readonly runs: RunsService,
    private readonly scope: WorkspaceScope,
    private readonly idempotency: Idempotency,
  ) {}

  /** `POST /runs` and its alias `POST /forecasts`: one operation, sharing idempotency keys. */
  async start(
    caller: ApiCaller,
    key: string | undefined,
    body: StartRunDto,
  ): Promise<StoredReply<Run> & { readonly replayed: boolean }> {
    const workspaceId = await this.scope.resolveOne(caller, body.workspace_id);
    const config = effectiveConfig(body.config_overrides);
    const stored = await this.idempotency.run(
      caller,
      key,
      requestHash('start-run', { workspaceId, config }),
      async (tx) => {
        const run = await this.runs.start(tx, {
          organizationId: caller.organizationId,
          plan: caller.plan,
          workspaceId,
          trigger: 'api',
          config,
          actor: actorOf(caller),
        });
        return {
          status: 202,
          headers: { location: `/api/v1/runs/${run.id}`, 'retry-after': POLL_AFTER_SECONDS },
          body: run,
        };
      },
    );
    if (!stored.replayed) await this.runs.wake();
    return stored;
  }

  /** Of the workspace in the path of an application route. */
  async startByMember(member: MemberCaller, tenant: WorkspaceTenant, body: StartWorkspaceRunDto): Promise<Run> {
    const run = await this.database.transaction((tx) =>
      this.runs.start(tx, {
        ...tenant,
        plan: member.plan,
        trigger: 'app',
        config: effectiveConfig(body.config_overrides),
        actor: actorOf(member),
      }),
    );
    await this.runs.wake();
    return run;
  }
}
