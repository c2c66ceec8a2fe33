import { Injectable } from '@nestjs/common';
import { Database } from '../platform/database/database.js';
import { refundRun } from '../usage/index.js';
import { RunLog } from './run-log.js';
import { failRun } from './run-protocol.queries.js';

/** Ends runs that cannot complete. */
@Injectable()
export class RunEnder {
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
    const failed = await this.database.transaction(async (tx) => {
      const run = await failRun(tx, runId, code, message);
      if (run)
        await refundRun(tx, {
          organizationId: run.organization_id,
          runId,
          billed: run.billed,
          chargedAt: run.created_at,
        });
      return run !== undefined;
    });
    if (failed) await this.log.tell('failed', { runId, organizationId });
  }
}
