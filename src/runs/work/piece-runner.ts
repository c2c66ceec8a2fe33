import { randomUUID } from 'node:crypto';
import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import type { Settings } from '../../../config/settings.js';
import { Database } from '../../platform/database/database.js';
import { asSystem, asTenant } from '../../platform/database/scope.js';
import { within } from '../../platform/work/deadline.js';
import { LOGGER, type Logger } from '../../platform/logging/logger.js';
import { Metrics } from '../../platform/metrics/metrics.js';
import { SETTINGS } from '../../platform/platform.module.js';
import { EngineThreads } from '../engine/engine-threads.js';
import { Attempts } from './attempts.js';
import { leaseNextChunk, leaseNextRun, type LeasedPiece } from './leases.queries.js';

/**
 * Milliseconds that shutdown waits for the pieces in progress, most of which take a second. Container runtimes kill a process that
 * has not stopped after ten seconds.
 */
const PATIENCE_MS = 5_000;

/** Computes runs, one piece at a time in each of its slots, under leases in the database. */
@Injectable()
export class PieceRunner implements BeforeApplicationShutdown {
  /** One more than there are threads: while these compute, one piece can be read or stored. */
  readonly slots: number;
  private readonly owner = randomUUID();
  private readonly busy = new Set<Promise<void>>();
  private readonly inProgress = new Set<LeasedPiece>();
  private stopped: Promise<void> | undefined;
  private abandoned = false;

  constructor(
    @Inject(SETTINGS) private readonly settings: Settings,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly database: Database,
    private readonly attempts: Attempts,
    private readonly engine: EngineThreads,
    metrics: Metrics,
  ) {
    this.slots = engine.threads + 1;
    metrics.gaugeByState(
      'worker_slots',
      'Pieces of runs that this process is working on, and free slots for more.',
      () => ({
        busy: this.busy.size,
        idle: this.idleSlots,
      }),
    );
  }

  get idleSlots(): number {
    return this.stopped ? 0 : this.slots - this.busy.size;
  }

  /** Works in one slot until no work is left. Returns immediately if no slot is idle: the busy ones will find the work. */
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

  /** Leases no more pieces and finishes those in progress. After `patience` milliseconds the rest is abandoned and released. */
  stop(patience: number): Promise<void> {
    return (this.stopped ??= this.finish(patience));
  }

  private async finish(patience: number): Promise<void> {
    if (await within(patience, Promise.allSettled(this.busy))) return;
    this.logger.warn({ pieces: this.busy.size }, 'pieces of runs that outlast the shutdown are left to other workers');
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
      this.inProgress.add(piece);
      try {
        await asTenant(piece, () => this.attempts.make(piece, () => this.abandoned));
      } finally {
        this.inProgress.delete(piece);
      }
    }
  }

  /**
   * Prefers a run to plan over any chunk, so that users who have just started one see progress. After planning a run it prefers a
   * chunk: otherwise runs that arrive as fast as they are planned would keep all runs from ending.
   */
  private async leaseNext(planned: boolean): Promise<LeasedPiece | undefined> {
    return planned ? ((await this.leaseChunk()) ?? this.leaseRun()) : ((await this.leaseRun()) ?? this.leaseChunk());
  }

  private leaseRun(): Promise<LeasedPiece | undefined> {
    return leaseNextRun(this.database, this.owner, this.settings.RUN_LEASE_MS, this.inProgress);
  }

  private leaseChunk(): Promise<LeasedPiece | undefined> {
    return leaseNextChunk(this.database, this.owner, this.settings.RUN_LEASE_MS, this.inProgress);
  }
}
