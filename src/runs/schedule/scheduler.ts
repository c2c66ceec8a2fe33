import { Inject, Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import type { AuditActor } from '../../access/index.js';
import { isDatabaseUnavailable } from '../../platform/database/database-faults.js';
import { Database, type Transaction } from '../../platform/database/database.js';
import { Problem } from '../../platform/http/problem.js';
import { LOGGER, type Logger } from '../../platform/logging/logger.js';
import { Rounds } from '../../platform/work/rounds.js';
import { findHistoryEnd } from '../../series/index.js';
import { cutoff, type RunConfig } from '../run-config.js';
import { effectiveConfig } from '../start/effective-config.js';
import { RunStarter } from '../start/run-starter.js';
import { RunWaker } from '../wake-ups/run-waker.js';
import { NoNewDemandNotice, noNewDemand } from './no-new-demand.js';
import type { ScheduleFaultDto } from './schedule.dto.js';
import {
  type ClosedReason,
  type Firing,
  type FiringOutcome,
  findUnchangedRun,
  advanceSchedule,
  NO_NEW_DEMAND,
  postpone,
  recordFiring,
  takeFiring,
  type UnchangedRun,
  UnknownTimeZoneError,
} from './schedule.queries.js';

const ACTOR: AuditActor = { kind: 'system', id: null, name: 'schedule', address: null };

const CLOSED: Readonly<Record<ClosedReason, string>> = {
  organization_suspended: 'The organization is suspended.',
  deletion_requested: 'The organization is scheduled for deletion.',
};

/** Milliseconds between checks for due schedules. */
const INTERVAL_MS = 5_000;

/** Starts scheduled runs. Every worker has a scheduler; a lock in the database makes each firing happen exactly once. */
@Injectable()
export class Scheduler {
  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly database: Database,
    private readonly starter: RunStarter,
    private readonly waker: RunWaker,
    private readonly notice: NoNewDemandNotice,
    private readonly rounds: Rounds,
  ) {}

  /** Fires everything that is due. Never rejects. */
  @Interval(INTERVAL_MS)
  fireDue(): Promise<void> {
    return this.rounds.make('schedules', () => this.fireOne());
  }

  /** @returns whether there was one to fire */
  private async fireOne(): Promise<boolean> {
    const outcome = await this.database.transaction(async (tx) => {
      const firing = await takeFiring(tx);
      return firing && this.fire(tx, firing);
    });
    if (outcome?.fault === null) await this.waker.wake();
    return outcome !== undefined;
  }

  /** Carries out a firing. One that fails is rolled back and merely postponed, so that others do not wait for it. */
  private async fire(tx: Transaction, firing: Firing): Promise<FiringOutcome> {
    const { workspaceId: workspace_id } = firing;
    await tx.execute('SAVEPOINT taken');
    try {
      await tx.narrowTo(firing);
      await advanceSchedule(tx, firing);
      const outcome = await this.start(tx, firing);
      if (outcome.fault) this.logger.warn({ workspace_id, fault: outcome.fault.code }, 'no scheduled run was started');
      await recordFiring(tx, firing, outcome);
      return outcome;
    } catch (error) {
      if (isDatabaseUnavailable(error)) throw error; // this connection can neither roll back nor record anything
      await tx.execute('ROLLBACK TO SAVEPOINT taken');
      this.logger.error({ err: error, workspace_id }, 'a scheduled run failed to start and will be retried');
      const fault = faultOf(error);
      await postpone(tx, firing, fault);
      return { runId: null, fault };
    }
  }

  /** Starts the run. A refusal (quota, no series, suspension) is the result of the firing, which the schedule shows. */
  private async start(tx: Transaction, firing: Firing): Promise<FiringOutcome> {
    if (firing.closed) return { runId: null, fault: { code: firing.closed, message: CLOSED[firing.closed] } };
    try {
      const config = effectiveConfig(firing.configOverrides);
      const unchanged = await this.findSameRun(tx, firing, config);
      if (unchanged) {
        if (!unchanged.reported) await this.notice.post(tx, firing, unchanged);
        return { runId: null, fault: { code: NO_NEW_DEMAND, message: noNewDemand(unchanged) } };
      }
      const run = await this.starter.startIn(tx, { ...firing, trigger: 'schedule', config, actor: ACTOR });
      return { runId: run.id, fault: null };
    } catch (error) {
      if (error instanceof Problem) return { runId: null, fault: { code: error.code, message: error.detail } };
      throw error;
    }
  }

  /** The completed run that the schedule started last, if another one would compute the same. */
  private async findSameRun(tx: Transaction, firing: Firing, config: RunConfig): Promise<UnchangedRun | undefined> {
    const run = await findUnchangedRun(tx, firing, config);
    if (!run) return undefined; // as a rule, so that the workspace's demand is not scanned
    const { lastMonth, incompleteMonth } = await findHistoryEnd(tx, firing, cutoff(config));
    return run.lastMonth === lastMonth && run.incompleteMonth === incompleteMonth ? run : undefined;
  }
}

/** A failure as shown by the schedule. */
function faultOf(error: unknown): ScheduleFaultDto {
  if (error instanceof UnknownTimeZoneError) {
    return {
      code: 'unknown_time_zone',
      message: `The time zone ${error.timeZone} no longer exists, so no runs start. Save the schedule with a different time zone.`,
    };
  }
  return {
    code: 'internal_error',
    message: 'The run could not be started because of a fault on our side. It is retried at next_run_at.',
  };
}
