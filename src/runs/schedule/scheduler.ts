import { Inject, Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import type { AuditActor } from '../../access/index.js';
import { Database, type Transaction } from '../../platform/database/database.js';
import { asSystem } from '../../platform/database/scope.js';
import { Problem } from '../../platform/http/problem.js';
import { LOGGER, type Logger } from '../../platform/logging/logger.js';
import { Rounds } from '../../platform/rounds.js';
import { effectiveConfig } from '../start/effective-config.js';
import { RunStarter } from '../start/run-starter.js';
import { RunWaker } from '../wake-ups/run-waker.js';
import { claimFiring, type Closed, type Firing, recordFiring } from './schedule.queries.js';

const ACTOR: AuditActor = { kind: 'system', id: null, name: 'schedule', address: null };

const CLOSED: Readonly<Record<Closed, string>> = {
  organization_suspended: 'The organization is suspended.',
  deletion_requested: 'The organization is to be deleted.',
};

/** Milliseconds between looks for due schedules; a month does not mind. */
const TICK = 5_000;

/** Starts scheduled runs. Every worker process has one; the claim in the database makes each firing happen once. */
@Injectable()
export class Scheduler implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly rounds = new Rounds();
  private stopped = false;

  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly database: Database,
    private readonly starter: RunStarter,
    private readonly waker: RunWaker,
  ) {}

  onApplicationBootstrap(): void {
    this.rounds.begin(TICK, () => this.fireDue());
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopped = true;
    await this.rounds.end();
  }

  /** Fires everything that is due; never rejects. */
  async fireDue(): Promise<void> {
    const failed: string[] = [];
    try {
      while (!this.stopped && (await asSystem('schedules', () => this.fireOne(failed))));
    } catch (error) {
      this.logger.warn({ err: error }, 'the scheduler could not reach the database; it tries again');
    }
  }

  /**
   * @param failed workspaces whose firing failed in this round; what is due behind them does not wait
   * @returns whether there was one to fire
   */
  private async fireOne(failed: string[]): Promise<boolean> {
    let claimed: Firing | undefined;
    const fire = async (tx: Transaction) => {
      const firing = (claimed = await claimFiring(tx, failed));
      if (!firing) return undefined;
      await tx.narrowTo(firing);
      const outcome = await this.start(tx, firing);
      await recordFiring(tx, firing, outcome);
      return { ...outcome, workspaceId: firing.workspaceId };
    };
    const fired = await this.database.transaction(fire).catch((error: unknown) => {
      if (!claimed) throw error;
      this.logger.error({ err: error, workspace_id: claimed.workspaceId }, 'a scheduled run failed; it is tried again');
      failed.push(claimed.workspaceId);
      return null;
    });
    if (fired === null) return true;
    if (!fired) return false;
    if ('runId' in fired) await this.waker.wake();
    else
      this.logger.warn({ workspace_id: fired.workspaceId, fault: fired.fault.code }, 'a scheduled run could not start');
    return true;
  }

  /** Starts the run; a refusal (quota, no series, suspension) is what came of the firing, to be read in the schedule. */
  private async start(
    tx: Transaction,
    firing: Firing,
  ): Promise<{ runId: string } | { fault: { code: string; message: string } }> {
    if (firing.closed) return { fault: { code: firing.closed, message: CLOSED[firing.closed] } };
    try {
      const config = effectiveConfig(firing.configOverrides);
      const run = await this.starter.startIn(tx, { ...firing, trigger: 'schedule', config, actor: ACTOR });
      return { runId: run.id };
    } catch (error) {
      if (error instanceof Problem) return { fault: { code: error.code, message: error.detail } };
      throw error;
    }
  }
}
