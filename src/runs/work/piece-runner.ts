import { randomUUID } from 'node:crypto';
import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import { LONGEST_LEASE_MS, type Settings } from '../../../config/settings.js';
import { Database } from '../../platform/database/database.js';
import { isDatabaseAway, isDiskFull, isLockedOut } from '../../platform/database/database-faults.js';
import { asSystem, asTenant, type WorkspaceTenant } from '../../platform/database/scope.js';
import { within } from '../../platform/deadline.js';
import { Problem } from '../../platform/http/problem.js';
import { LOGGER, type Logger } from '../../platform/logging/logger.js';
import { Metrics } from '../../platform/metrics/metrics.js';
import { SETTINGS } from '../../platform/platform.module.js';
import { RunFailer } from '../end/run-failer.js';
import { EngineThreads } from '../engine/engine-threads.js';
import { OverlongTask } from '../engine/thread-pool.js';
import { RunInstruments } from '../monitoring/run-instruments.js';
import { RunEvents } from '../monitoring/run-events.js';
import { ChunkFitter } from './chunk-fitter.js';
import { type HeldPiece, leaseNextChunk, leaseNextRun, putOff, recordFailure, releaseLease } from './leases.queries.js';
import { RunPlanner } from './run-planner.js';

/** Attempts that may end in an error before the run fails for good. */
const MAX_FAILURES = 5;
/** How often a piece of work may be leased in all: one that kills its worker each time must not do so for ever. */
const MAX_EPOCHS = 50;
const RETRY_DELAY_MS = 1_000;
/**
 * Delay after a database failure (disk full, connection lost), in milliseconds times the leases so far. It grows so that an outage of
 * hours does not use up {@link MAX_EPOCHS}.
 */
const DATABASE_DELAY_MS = 15_000;
/**
 * Milliseconds that a stop waits for the pieces in work, most of which take a second. Container runtimes kill a process that has not
 * stopped after ten seconds.
 */
const PATIENCE_MS = 5_000;

/** A leased piece of a run. */
interface LeasedWork extends HeldPiece, WorkspaceTenant {
  readonly do: () => Promise<void>;
}

/** Computes runs, a piece at a time in each of its slots, under leases in the database. */
@Injectable()
export class PieceRunner implements BeforeApplicationShutdown {
  /** One more than there are threads: while these compute, one piece can be read or stored. */
  readonly slots: number;
  private readonly owner = randomUUID();
  private readonly busy = new Set<Promise<void>>();
  private readonly atHand = new Set<HeldPiece>();
  private stopped: Promise<void> | undefined;
  private abandoned = false;

  constructor(
    @Inject(SETTINGS) private readonly settings: Settings,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly database: Database,
    private readonly planner: RunPlanner,
    private readonly fitter: ChunkFitter,
    private readonly failer: RunFailer,
    private readonly events: RunEvents,
    private readonly instruments: RunInstruments,
    private readonly engine: EngineThreads,
    metrics: Metrics,
  ) {
    this.slots = engine.threads + 1;
    metrics.gaugeBy(
      'state',
      'worker_slots',
      'Pieces of runs that this process works on, and more that it could.',
      () => ({
        busy: this.busy.size,
        idle: this.idleSlots,
      }),
    );
  }

  get idleSlots(): number {
    return this.stopped ? 0 : this.slots - this.busy.size;
  }

  /** Works in one slot until no work is left. Returns at once where no slot is idle: the busy ones will find the work. */
  async work(): Promise<void> {
    if (this.idleSlots <= 0) return;
    const occupied = this.workOn();
    this.busy.add(occupied);
    try {
      await occupied;
    } finally {
      this.busy.delete(occupied);
    }
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.stop(PATIENCE_MS);
  }

  /** Leases no more pieces and finishes those in work. After `patience` milliseconds the rest is given up and released. */
  stop(patience: number): Promise<void> {
    return (this.stopped ??= this.finish(patience));
  }

  private async finish(patience: number): Promise<void> {
    if (await within(patience, Promise.allSettled(this.busy))) return;
    this.logger.warn(
      { pieces: this.busy.size },
      'pieces of runs that take longer than a stop may are left to other workers',
    );
    this.abandoned = true;
    await this.engine.abandon();
    await Promise.allSettled(this.busy);
  }

  private async workOn(): Promise<void> {
    let planned = false;
    while (!this.stopped) {
      const piece = await asSystem('lease', () => this.leaseNext(planned));
      if (!piece) return;
      planned = piece.position === null;
      this.atHand.add(piece);
      try {
        await asTenant(piece, () => this.attempt(piece));
      } finally {
        this.atHand.delete(piece);
      }
    }
  }

  /**
   * Prefers a run to plan over any chunk, so that whoever has just started one sees it move. After planning a run it prefers a
   * chunk: otherwise runs that arrive as fast as they are planned would keep all runs from ending.
   */
  private async leaseNext(planned: boolean): Promise<LeasedWork | undefined> {
    return planned ? ((await this.leaseChunk()) ?? this.leaseRun()) : ((await this.leaseRun()) ?? this.leaseChunk());
  }

  private async leaseRun(): Promise<LeasedWork | undefined> {
    const run = await leaseNextRun(this.database, this.owner, this.settings.RUN_LEASE_MS, this.atHand);
    return run && { ...run, position: null, do: () => this.planner.plan(run) };
  }

  private async leaseChunk(): Promise<LeasedWork | undefined> {
    const chunk = await leaseNextChunk(this.database, this.owner, this.settings.RUN_LEASE_MS, this.atHand);
    return chunk && { ...chunk, do: () => this.fitter.fit(chunk) };
  }

  private async attempt(piece: LeasedWork): Promise<void> {
    const { runId, position, lease } = piece;
    const work = position === null ? 'plan' : 'chunk';
    if (lease.epoch > 1) {
      this.instruments.takeovers.inc({ work });
      await this.events.tell('taken over', piece, { chunk: position, epoch: lease.epoch });
    } else if (position === null) await this.events.tell('started', piece);
    try {
      if (lease.epoch > MAX_EPOCHS) throw new Error(`taken up ${lease.epoch} times without an end`);
      await piece.do();
    } catch (error) {
      if (this.abandoned) return releaseLease(this.database, piece);
      // its workspace is being deleted, or has been with the lease's row: the lease is left to end by itself
      if (isLockedOut(error) || isGone(error)) return;
      this.instruments.errors.inc({ work });
      this.logger.error({ err: error, run_id: runId, chunk: position }, 'work on a run failed');
      if (isDiskFull(error) || isDatabaseAway(error)) {
        // not the run's fault: it goes on when the database is back
        return putOff(this.database, piece, Math.min(lease.epoch * DATABASE_DELAY_MS, LONGEST_LEASE_MS));
      }
      const failures = await recordFailure(this.database, piece, RETRY_DELAY_MS);
      if (failures >= MAX_FAILURES || lease.epoch > MAX_EPOCHS) {
        const why = error instanceof OverlongTask ? ': some took too long, again and again' : '';
        await this.failer.fail(
          piece,
          'computation_failed',
          `The forecasts could not be computed${why}. The run was not charged; start it again, and report it if it fails again.`,
        );
      }
    }
  }
}

/** Whether the workspace was deleted while the piece was worked on. */
function isGone(fault: unknown): boolean {
  return fault instanceof Problem && fault.status === 404;
}
