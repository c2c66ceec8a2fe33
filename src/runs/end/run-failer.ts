import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import { RunEvents } from '../monitoring/run-events.js';
import { abandonRun } from './abandon-run.js';

/** Ends runs that cannot complete. */
@Injectable()
export class RunFailer {
  constructor(
    private readonly database: Database,
    private readonly events: RunEvents,
  ) {}

  /** Fails the run and gives its charge back, since the fault is ours. A run that has ended stays as it is. */
  async fail(
    { runId, organizationId }: { readonly runId: string; readonly organizationId: string },
    code: string,
    message: string,
  ): Promise<void> {
    const scope = { organizationId, workspaceId: null };
    const failed = await this.database.transaction((tx) =>
      abandonRun(tx, scope, runId, { status: 'failed', code, message }),
    );
    if (failed) this.events.tellOf('failed', organizationId, failed);
  }
}
