import { AsyncLocalStorage } from 'node:async_hooks';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Clock } from '../../platform/clock.js';
import { Database, type Transaction } from '../../platform/database/database.js';
import { isDatabaseUnavailable, isDiskFull } from '../../platform/database/database-faults.js';
import { asTenant } from '../../platform/database/scope.js';
import { MINUTE_MS } from '../../platform/durations.js';
import { Problem } from '../../platform/http/problem.js';
import { Lifecycle } from '../../platform/lifecycle.js';
import { LOGGER, type Logger } from '../../platform/logging/logger.js';
import { repeat } from '../../platform/work/repeat.js';
import { Rounds } from '../../platform/work/rounds.js';
import type { ImportErrorDto, ImportReportDto } from '../dto/import.dto.js';
import { type GivenTarget, readMembers } from '../upload/members.js';
import { InvalidUpload } from '../upload/store/report.js';
import { storeUploadIn } from '../upload/store/store-upload.js';
import { ImportInstruments } from './import-instruments.js';
import {
  completeImport,
  failImport,
  giveUpImports,
  lockImport,
  noteProgress,
  readChunks,
  returnAttempt,
  takeWaitingImport,
  type WaitingImport,
} from './import-work.queries.js';

/** Milliseconds between checks for imports that another process left behind. */
const LOOK_INTERVAL_MS = 5_000;
/** Milliseconds between progress updates of an import. */
const PROGRESS_INTERVAL_MS = 2_000;
/** Milliseconds until the next attempt after a full disk: an import that fills it must not keep everyone else from writing. */
const FULL_DISK_PAUSE_MS = MINUTE_MS;
/** How often a process finds the disk full before it gives up an overdue import: the disk may have filled up only just now. */
const MAX_TIMES_WITHOUT_ROOM = 10;
const NO_ROOM = {
  code: 'no_room',
  message:
    'The database has had no room for this upload for a day. Nothing is stored. Send it again when there is room, or split it into smaller uploads.',
};

class Stopping extends Error {
  override readonly message = 'the service is stopping';
}

/** Processes imports whose body was stored first, one at a time per process. Imports interrupted by a crash are started over. */
@Injectable()
export class ImportRunner implements OnApplicationBootstrap {
  /** In terms of `performance.now()`. */
  private pausedUntil = 0;
  /** Consecutive times the disk was full, by import id. Imports of other workspaces, which may fit, go first. */
  private readonly withoutRoom = new Map<string, number>();
  /**
   * Attempts that must not count but have not been taken back yet (the database is unavailable, or another process has the import), each
   * with whether the connection was lost.
   */
  private readonly uncounted = new Map<WaitingImport, boolean>();
  /** Runs work outside the context of the request that woke the runner, since it serves all tenants. */
  private readonly outsideRequests = AsyncLocalStorage.snapshot();

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly lifecycle: Lifecycle,
    private readonly rounds: Rounds,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly instruments: ImportInstruments,
  ) {}

  onApplicationBootstrap(): void {
    this.wake();
  }

  /** Looks for work now. A no-op while the runner is busy, since it looks again when it finishes. */
  wake(): void {
    void this.look();
  }

  /** Processes imports until none is due; never rejects. */
  @Interval(LOOK_INTERVAL_MS)
  async look(): Promise<void> {
    if (performance.now() < this.pausedUntil) return;
    await this.outsideRequests(() => this.rounds.make('imports', () => this.workOff()));
  }

  private async workOff(): Promise<void> {
    await this.returnAttempts();
    this.instruments.failed(await giveUpImports(this.database));
    while (!this.lifecycle.draining) {
      const work = await takeWaitingImport(this.database, this.withoutRoom.keys());
      if (!work) return; // none is due, or another process has it
      const done = await asTenant(work, () => this.process(work));
      if (!done) return this.returnAttempts(); // the timer retries
    }
  }

  /** @returns whether it has ended; false if it is to be retried */
  private async process(work: WaitingImport): Promise<boolean> {
    try {
      return await this.store(work);
    } catch (error) {
      if (error instanceof Problem) {
        const { code, detail, options } = error;
        const report = error instanceof InvalidUpload ? error.report : null;
        await this.fail(work, { code, message: detail, errors: options.errors ?? [] }, report);
        return true;
      }
      const full = isDiskFull(error);
      if (full && !this.mayStillFit(work)) {
        this.logger.error({ err: error, import_id: work.id }, 'an import was abandoned because the disk was full');
        await this.fail(work, NO_ROOM, null);
        return false;
      }
      if (!(error instanceof Stopping)) {
        this.logger.error({ err: error, import_id: work.id }, 'an import failed and will be retried');
      }
      // shutdowns, a full disk and a lost connection are not the import's fault: they do not count as attempts
      const brokenOff = isDatabaseUnavailable(error);
      if (full || error instanceof Stopping || (brokenOff && !work.breaksOff)) this.uncounted.set(work, brokenOff);
      return false;
    }
  }

  private async returnAttempts(): Promise<void> {
    for (const [work, brokenOff] of this.uncounted) {
      if (await returnAttempt(this.database, work, brokenOff)) this.uncounted.delete(work);
    }
  }

  /** Records that the disk was full and pauses all imports. @returns whether this one is to be retried */
  private mayStillFit({ id, overdue }: WaitingImport): boolean {
    this.pausedUntil = performance.now() + FULL_DISK_PAUSE_MS;
    const times = (this.withoutRoom.get(id) ?? 0) + 1;
    this.withoutRoom.set(id, times);
    return !overdue || times < MAX_TIMES_WITHOUT_ROOM;
  }

  private async fail(work: WaitingImport, error: ImportErrorDto, report: ImportReportDto | null): Promise<void> {
    await this.database.transaction((tx) => failImport(tx, work, error, report));
    this.withoutRoom.delete(work.id);
    this.instruments.failed();
  }

  /** @returns false if it could not be locked */
  private async store(work: WaitingImport): Promise<boolean> {
    let rowsRead: (() => number) | undefined;
    const endNotes = repeat(PROGRESS_INTERVAL_MS, async () => {
      if (rowsRead) await this.note(work, rowsRead());
    });
    const store = async (tx: Transaction): Promise<ImportReportDto | undefined> => {
      if (!(await lockImport(tx, work))) return undefined;
      const upload = {
        format: work.format,
        decimal: work.decimal ?? undefined,
        body: this.unlessStopping(readChunks(tx, work)),
        now: this.clock.now(),
        onBegin: (counted: () => number) => (rowsRead = counted),
      };
      const given: GivenTarget = { workspaceId: work.workspaceId, fill: work.fillZero ? 'zero' : undefined };
      return storeUploadIn(tx, upload, async (_, members, merge) => {
        const { fillZero } = readMembers(members, given);
        const report = await merge({ tenant: work, fillZero });
        await completeImport(tx, work, { fillZero, report });
        return report;
      });
    };
    try {
      const stored = await this.database.transaction(store);
      if (stored) {
        this.instruments.completed(stored);
        this.withoutRoom.delete(work.id);
      } else this.uncounted.set(work, false); // it never really began
      return stored !== undefined;
    } finally {
      await endNotes();
    }
  }

  private async note(work: WaitingImport, rowsRead: number): Promise<void> {
    try {
      await noteProgress(this.database, work, rowsRead);
    } catch (error) {
      this.logger.warn({ err: error, import_id: work.id }, 'the progress of an import could not be stored');
    }
  }

  /** A graceful shutdown does not wait for a large import: it is rolled back and started over after the restart. */
  private async *unlessStopping(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of body) {
      if (this.lifecycle.draining) throw new Stopping();
      yield chunk;
    }
  }
}
