import type { Worker } from 'node:worker_threads';
import { Piscina } from 'piscina';
import { MINUTE_MS } from '../../platform/durations.js';
import { repeat } from '../../platform/repeat.js';
import { Slots } from '../../platform/slots.js';

/**
 * Milliseconds of CPU that a task may take: more than ten times the largest one (48 s for the pooled model of 3,000 series of a
 * century at seven origins). CPU time, since a thread of low priority may spend most of the time waiting for a core.
 */
const MOST_CPU_MS = 10 * MINUTE_MS;
/** How often a task's CPU time is checked within that limit. */
const LOOKS = 60;

/** Milliseconds within which a thread begins its task, by far: one that met a fault of the system while it started (no file descriptor left) never does. */
const LONGEST_START_MS = 2 * MINUTE_MS;

/** What a thread is given. */
export interface ThreadTask<Task> {
  readonly task: Task;
  /** One element, into which the thread writes its id; its CPU time is looked up by that. */
  readonly thread: Int32Array;
}

/** A task was ended because it took too much CPU time. */
export class OverlongTask extends Error {}

/** No thread began the task. */
export class UnbegunTask extends Error {}

/** Threads of lower priority and bounded memory, started on demand. A thread that dies or is ended only loses its own task. */
export class ThreadPool {
  private readonly pool: Piscina;
  /** Tasks wait here and not in the pool's own queue, where they would stay for ever when its last thread dies. */
  private readonly turns: Slots;
  /** Where the threads at work have written their ids. */
  private readonly atWork = new Set<Int32Array>();
  private destroyed: Promise<void> | undefined;

  /** @param filename whose default export works on a {@link ThreadTask} */
  constructor(
    threads: number,
    filename: string,
    private readonly mostCpuMs = MOST_CPU_MS,
    private readonly longestStartMs = LONGEST_START_MS,
  ) {
    this.turns = new Slots('tasks', { total: threads });
    this.pool = new Piscina({
      filename,
      minThreads: 0,
      maxThreads: threads,
      idleTimeout: 30_000,
      // leaves a tenth of a core beside a busy process of normal priority; at 19 a seventieth would be left, and runs would not end
      niceIncrement: 10,
      resourceLimits: { maxOldGenerationSizeMb: 1_024 },
    });
    this.pool.on('error', () => undefined); // handled where the task of the dead thread rejects
  }

  /** Tasks that threads compute. */
  get running(): number {
    return this.atWork.size;
  }

  /** Tasks that wait for a thread. */
  get waiting(): number {
    return this.turns.waiting;
  }

  /** Rejects with {@link OverlongTask} or {@link UnbegunTask} where the task was ended, and where its thread died or the pool was destroyed. */
  run(task: unknown): Promise<unknown> {
    return this.turns.run({}, () => this.compute(task), true);
  }

  /** Ends the threads. Tasks that run, wait or come later reject. */
  destroy(): Promise<void> {
    return (this.destroyed ??= this.pool.destroy());
  }

  private async compute(task: unknown): Promise<unknown> {
    if (this.destroyed) throw new Error('the threads have been ended'); // else the pool would start new ones
    const thread = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
    const ending = new AbortController();
    let first: number | undefined;
    const endLooks = repeat(this.mostCpuMs / LOOKS, async () => {
      const used = await this.cpuMs(thread[0]!);
      first ??= used;
      if (used !== undefined && used - first! > this.mostCpuMs) ending.abort();
    });
    const start = setTimeout(() => {
      if (thread[0] === 0) ending.abort();
    }, this.longestStartMs);
    this.atWork.add(thread);
    let present: readonly Worker[] = [];
    try {
      const working = this.pool.run({ task, thread } satisfies ThreadTask<unknown>, { signal: ending.signal });
      present = [...this.pool.threads];
      return await working;
    } catch (error) {
      if (!ending.signal.aborted) throw error;
      if (thread[0] === 0) {
        await this.endIdle(present);
        throw new UnbegunTask(`no thread began it within ${this.longestStartMs / 1_000} seconds`);
      }
      throw new OverlongTask(`did not end within ${this.mostCpuMs / 1_000} seconds of CPU`);
    } finally {
      clearTimeout(start);
      this.atWork.delete(thread);
      void endLooks();
    }
  }

  /**
   * Ends those of the threads that work on nothing: they have been there for longer than one takes to get ready. Waits until they have
   * ended: the pool starts no thread for a task that comes before that.
   */
  private async endIdle(threads: readonly Worker[]): Promise<void> {
    const working = new Set([...this.atWork].map(([id]) => id));
    await Promise.all(threads.filter(({ threadId }) => !working.has(threadId)).map((idle) => idle.terminate()));
  }

  /** CPU time of a thread so far; undefined where it has not started or has ended. */
  private async cpuMs(id: number): Promise<number | undefined> {
    const worker = this.pool.threads.find(({ threadId }) => threadId === id);
    const used = await worker?.cpuUsage().catch(() => undefined);
    return used && (used.user + used.system) / 1_000;
  }
}
