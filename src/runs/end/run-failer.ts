import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import { refundRun } from '../../usage/index.js';
import { RunLog } from '../monitoring/run-log.js';
import { abandonRun } from './ends.queries.js';

/** Ends runs that cannot complete. */
@Injectable()
export class RunFailer {
  constructor(
    private readonly database: Database,
    private readonly log: RunLog,
  ) {}

  /** Fails the run and gives its quota back: the fault is ours. A run that has ended already stays as it is. */
  async fail(
    { runId, organizationId }: { readonly runId: string; readonly organizationId: string },
    code: string,
    message: string,
  ): Promise<void> {
    const scope = { organizationId, workspaceId: null };
    const failed = await this.database.transaction(async (tx) => {
      const run = await abandonRun(tx, scope, runId, { status: 'failed', code, message });
      if (run) {
        const { billed, created_at: createdAt } = run;
        await refundRun(tx, { organizationId, runId, billed, chargedAt: new Date(createdAt) });
      }
      return run;
    });
    if (failed) this.log.tellOf('failed', organizationId, failed);
  }
}
