import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import { RunEvents } from '../monitoring/run-events.js';
import { abandonRun } from './abandon-run.js';

/** Fails runs that cannot complete. */
@Injectable()
export class RunFailer {
  constructor(
    private readonly database: Database,
    private readonly events: RunEvents,
  ) {}

  /** Fails the run and refunds its charge, since the service is to blame. A no-op for a run that has ended. */
  async fail(
    { runId, organizationId }: { readonly runId: string; readonly organizationId: string },
    code: string,
    message: string,
  ): Promise<void> {
    const scope = { organizationId, workspaceId: null };
    const failed = await this.database.transaction((tx) =>
      abandonRun(tx, scope, runId, { status: 'failed', code, message }),
    );
    if (failed) this.events.reportRun('failed', organizationId, failed);
  }
}
