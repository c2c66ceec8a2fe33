import { Inject, Injectable } from '@nestjs/common';
import { MAX_LEASE_MS, type Settings } from '../../../config/settings.js';
import { Database } from '../../platform/database/database.js';
import { isDatabaseUnavailable, isDiskFull, isLockTimeout } from '../../platform/database/database-faults.js';
import { withHeartbeat } from '../../platform/work/heartbeat.js';
import { Problem } from '../../platform/http/problem.js';
import { LOGGER, type Logger } from '../../platform/logging/logger.js';
import { SETTINGS } from '../../platform/platform.module.js';
import { RunFailer } from '../end/run-failer.js';
import { OverlongTask } from '../engine/thread-pool.js';
import { RunEvents } from '../monitoring/run-events.js';
import { RunInstruments } from '../monitoring/run-instruments.js';
import { ChunkFitter } from './chunk-fitter.js';
import { type LeasedPiece, recordFailure, releasePiece, renewLease } from './leases.queries.js';
import { RunPlanner } from './run-planner.js';

/** Number of attempts that may end in an error before the run fails. */
const MAX_FAILURES = 5;
/** Maximum number of leases on a piece of work: one that kills its worker each time must not do so forever. */
const MAX_EPOCHS = 50;
const RETRY_DELAY_MS = 1_000;
/**
 * Delay after a database failure (disk full, connection lost), in milliseconds times the number of leases so far. It grows so that
 * an outage of hours does not exhaust {@link MAX_EPOCHS}.
 */
const DATABASE_DELAY_MS = 15_000;

/** Attempts at pieces of runs, and what happens to a piece and its run after a failure. */
@Injectable()
export class Attempts {
  constructor(
    @Inject(SETTINGS) private readonly settings: Settings,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly database: Database,
    private readonly planner: RunPlanner,
    private readonly fitter: ChunkFitter,
    private readonly failer: RunFailer,
    private readonly events: RunEvents,
    private readonly instruments: RunInstruments,
  ) {}

  /**
   * Works on a piece while keeping its lease; call it in the scope of its tenant. Rejects only if the database is unreachable.
   * @param abandoned whether the process has abandoned its work: then a failure does not count, and others may lease the piece
   * immediately
   */
  async make(piece: LeasedPiece, abandoned: () => boolean): Promise<void> {
    try {
      await this.reportStart(piece);
      if (piece.lease.epoch > MAX_EPOCHS) throw new Error(`taken up ${piece.lease.epoch} times without an end`);
      const leaseMs = this.settings.RUN_LEASE_MS;
      await withHeartbeat(
        () => renewLease(this.database, piece, leaseMs),
        leaseMs / 4,
        (lost) => (piece.position === null ? this.planner.plan(piece) : this.fitter.fit(piece, lost)),
      );
    } catch (error) {
      if (abandoned()) return releasePiece(this.database, piece, 0);
      // its workspace is being deleted, or has been, together with the lease's row: the lease is left to expire
      if (isLockTimeout(error) || isGone(error)) return;
      await this.conclude(piece, error);
    }
  }

  private async reportStart(piece: LeasedPiece): Promise<void> {
    const { position, lease } = piece;
    if (lease.epoch > 1) {
      this.instruments.takeovers.inc({ work: kindOf(piece) });
      await this.events.report('taken over', piece, { chunk: position, epoch: lease.epoch });
    } else if (position === null) await this.events.report('started', piece);
  }

  /** Schedules the piece for a retry, or fails its run. */
  private async conclude(piece: LeasedPiece, error: unknown): Promise<void> {
    const { runId, position, lease } = piece;
    this.instruments.errors.inc({ work: kindOf(piece) });
    this.logger.error({ err: error, run_id: runId, chunk: position }, 'work on a run failed');
    if (isDiskFull(error) || isDatabaseUnavailable(error)) {
      // not the run's fault: it continues once the database is back
      return releasePiece(this.database, piece, Math.min(lease.epoch * DATABASE_DELAY_MS, MAX_LEASE_MS));
    }
    const failures = await recordFailure(this.database, piece, RETRY_DELAY_MS);
    if (failures >= MAX_FAILURES || lease.epoch > MAX_EPOCHS) {
      const why = error instanceof OverlongTask ? ' because some repeatedly took too long' : '';
      await this.failer.fail(
        piece,
        'computation_failed',
        `The forecasts could not be computed${why}. The run was not charged. Start it again; report it if it fails again.`,
      );
    }
  }
}

const kindOf = ({ position }: LeasedPiece): 'plan' | 'chunk' => (position === null ? 'plan' : 'chunk');

/** Whether the workspace was deleted while the piece was being worked on. */
function isGone(fault: unknown): boolean {
  return fault instanceof Problem && fault.status === 404;
}
