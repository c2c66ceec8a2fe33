import { Injectable } from '@nestjs/common';
import {
  actorOf,
  type ApiCaller,
  Idempotency,
  requestHash,
  type StoredReply,
  WorkspaceScope,
} from '../access/index.js';
import type { StartRunDto } from './dto/start-run.dto.js';
import type { Run } from './run.js';
import { effectiveConfig, RunsService } from './runs.service.js';

/** Clients poll a run at most once a minute (contract section 1). */
export const POLL_AFTER_SECONDS = '60';

/** `POST /runs` and its alias `POST /forecasts`: one operation, sharing idempotency keys. */
@Injectable()
export class RunStarter {
  constructor(
    private readonly runs: RunsService,
    private readonly scope: WorkspaceScope,
    private readonly idempotency: Idempotency,
  ) {}

  async start(
    caller: ApiCaller,
    key: string | undefined,
    body: StartRunDto,
  ): Promise<StoredReply<Run> & { readonly replayed: boolean }> {
    const workspaceId = await this.scope.resolve(caller, body.workspace_id, { required: true });
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
}
