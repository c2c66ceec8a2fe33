import { Inject, Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import { LOGGER, type Logger } from '../../platform/logging/logger.js';
import type { RunDto } from '../dto/run.dto.js';
import { durationOf } from '../run.js';
import { findRun } from '../runs.queries.js';
import { RunInstruments } from './run-instruments.js';

/** Events by which operators follow a run. `taken over`: a worker continues what another had begun. */
type RunEvent = 'started' | 'taken over' | 'completed' | 'failed' | 'canceled';

/** Reports run events to operators: a log line each at level info, and metrics of how runs end. */
@Injectable()
export class RunEvents {
  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly database: Database,
    private readonly instruments: RunInstruments,
  ) {}

  /** Reads the run and reports the event. Never rejects: the event has happened even if the run cannot be read. */
  async report(
    event: RunEvent,
    { organizationId, runId }: { readonly organizationId: string; readonly runId: string },
    details: Readonly<Record<string, unknown>> = {},
  ): Promise<void> {
    try {
      const run = await findRun(this.database, { organizationId, workspaceId: null }, runId);
      if (run) this.reportRun(event, organizationId, run, details);
    } catch (error) {
      this.logger.warn(
        { err: error, run_id: runId, organization_id: organizationId },
        `run ${event}; it could not be read`,
      );
    }
  }

  /** Like {@link report}, for a run that has already been read. */
  reportRun(
    event: RunEvent,
    organizationId: string,
    run: RunDto,
    details: Readonly<Record<string, unknown>> = {},
  ): void {
    const duration = durationOf(run);
    this.logger.info(
      {
        run_id: run.id,
        organization_id: organizationId,
        workspace_id: run.workspace_id,
        trigger: run.trigger,
        series_total: run.progress.series_total,
        series_done: run.progress.series_done,
        ...(run.metrics && { series_forecast: run.metrics.series_forecast, series_skipped: run.metrics.skipped.total }),
        ...(duration !== undefined && { duration_ms: duration }),
        ...(run.error && { error: run.error.code }),
        ...details,
      },
      `run ${event}`,
    );
    if (event !== 'started' && event !== 'taken over') this.instruments.end(event, duration);
  }
}
