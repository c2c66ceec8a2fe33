import { Piscina } from 'piscina';
import { Rounds } from '../../platform/rounds.js';
import { Slots } from '../../platform/slots.js';

/**
 * Milliseconds of CPU that a task may take: ten times what the largest takes, which learns from 3,000 series of a century at
 * seven origins (48 s). Of CPU, since a thread of low priority may wait for a core most of the time.
 */
const MOST_CPU_MS = 600_000;
/** Looks at a thread until its task may have taken too long. */
const LOOKS = 60;

/** What a thread is given. */
export interface ThreadTask<Task> {
  readonly task: Task;
  /** One element: where the thread tells its id, by which its CPU time is found. */
  readonly thread: Int32Array;
}

/** A task that was ended since it did not come to an end. */
export class OverlongTask extends Error {}

/** Threads of lower priority and bounded memory, made as they are needed. A thread that dies or is ended takes its own task with it only. */
export class ThreadPool {
  private readonly pool: Piscina;
  /** Tasks wait here: those in the queue of the pool would stay there where its last thread dies. */
  private readonly turns: Slots;
  private destroyed: Promise<void> | undefined;

  /** @param filename whose default export works on a {@link ThreadTask} */
  constructor(
    threads: number,
    filename: string,
    private readonly mostCpuMs = MOST_CPU_MS,
  ) {
    this.turns = new Slots(threads, 'All threads are busy.');
    this.pool = new Piscina({
      filename,
      minThreads: 0,
      maxThreads: threads,
      idleTimeout: 30_000,
      // a tenth of a core beside a busy process of ordinary priority; of the lowest, 19, a seventieth, and runs would not end
      niceIncrement: 10,
      resourceLimits: { maxOldGenerationSizeMb: 1_024 },
    });
    this.pool.on('error', () => undefined); // a thread that dies rejects its task; that is where it is handled
  }

  /** Tasks that wait for a thread. */
  get waiting(): number {
    return this.turns.waiting;
  }

  /** @throws {OverlongTask} where the task was ended; an error where its thread died or the pool was destroyed */
  run(task: unknown): Promise<unknown> {
    return this.turns.run(() => this.compute(task), true);
  }

  /** Ends the threads, and with them the tasks at hand, those that wait and later ones. */
  destroy(): Promise<void> {
    return (this.destroyed ??= this.pool.destroy());
  }

  private async compute(task: unknown): Promise<unknown> {
    if (this.destroyed) throw new Error('the threads have been ended'); // the pool would make new ones
    const thread = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
    const ending = new AbortController();
    const looks = new Rounds();
    let first: number | undefined;
    looks.begin(this.mostCpuMs / LOOKS, async () => {
      const used = await this.cpuMs(thread[0]!);
      first ??= used;
      if (used !== undefined && used - first! > this.mostCpuMs) ending.abort();
    });
    try {
      return await this.pool.run({ task, thread } satisfies ThreadTask<unknown>, { signal: ending.signal });
    } catch (error) {
      if (!ending.signal.aborted) throw error;
      throw new OverlongTask(`did not end within ${this.mostCpuMs / 1_000} seconds of CPU`);
    } finally {
      void looks.end();
    }
  }

  /** CPU time of a thread so far; undefined where there is none yet, or no more. */
  private async cpuMs(id: number): Promise<number | undefined> {
    const worker = this.pool.threads.find(({ threadId }) => threadId === id);
    const used = await worker?.cpuUsage().catch(() => undefined);
    return used && (used.user + used.system) / 1_000;
  }
}
