import type { Worker } from 'node:worker_threads';
import { Piscina } from 'piscina';
import { MINUTE_MS } from '../../platform/durations.js';
import { repeat } from '../../platform/work/repeat.js';
import { Slots } from '../../platform/work/slots.js';

/**
 * Milliseconds of CPU time that a task may take: more than ten times the largest one (48 s for the pooled model of 3,000 series of
 * a century at seven origins). CPU time, since a low-priority thread may spend most of its time waiting for a core.
 */
const MAX_CPU_MS = 10 * MINUTE_MS;
/** Number of times that a task's CPU time is checked within that limit. */
const LOOKS = 60;

/**
 * Generous limit in milliseconds for a thread to begin its task: one that hit a system error during startup (no file descriptors
 * left) never does.
 */
const MAX_START_MS = 2 * MINUTE_MS;

/** The input of a thread. */
export interface ThreadTask<Task> {
  readonly task: Task;
  /** A single element to which the thread writes its id, by which its CPU time is looked up. */
  readonly thread: Int32Array;
}

/** A task was terminated because it took too much CPU time. */
export class OverlongTask extends Error {}

/** No thread began the task. */
export class UnbegunTask extends Error {}

/** Threads with lower priority and bounded memory, started on demand. A thread that dies or is terminated loses only its own task. */
export class ThreadPool {
  private readonly pool: Piscina;
  /** Tasks wait here rather than in the pool's own queue, where they would be stuck forever once its last thread dies. */
  private readonly turns: Slots;
  /** Where busy threads have written their ids. */
  private readonly atWork = new Set<Int32Array>();
  private destroyed: Promise<void> | undefined;

  /** @param filename module whose default export processes a {@link ThreadTask} */
  constructor(
    threads: number,
    filename: string,
    private readonly mostCpuMs = MAX_CPU_MS,
    private readonly longestStartMs = MAX_START_MS,
  ) {
    this.turns = new Slots('tasks', { total: threads });
    this.pool = new Piscina({
      filename,
      minThreads: 0,
      maxThreads: threads,
      idleTimeout: 30_000,
      // leaves a tenth of a core next to a busy process of normal priority; 19 would leave a seventieth, and runs would never end
      niceIncrement: 10,
      // V8 would let what a thread has just allocated grow to several times this before it looks for what is still in use
      resourceLimits: { maxOldGenerationSizeMb: 1_024, maxYoungGenerationSizeMb: 16 },
    });
    this.pool.on('error', () => undefined); // handled where the dead thread's task rejects
  }

  /** Number of tasks being computed. */
  get running(): number {
    return this.atWork.size;
  }

  /** Number of tasks waiting for a thread. */
  get waiting(): number {
    return this.turns.waiting;
  }

  /**
   * Rejects with {@link OverlongTask} or {@link UnbegunTask} if the task was terminated, and if its thread died or the pool was
   * destroyed.
   */
  run(task: unknown): Promise<unknown> {
    return this.turns.run({}, () => this.compute(task), true);
  }

  /** Terminates the threads. Tasks that are running, waiting or submitted later reject. */
  destroy(): Promise<void> {
    return (this.destroyed ??= this.pool.destroy());
  }

  private async compute(task: unknown): Promise<unknown> {
    if (this.destroyed) throw new Error('the threads have been ended'); // otherwise the pool would start new ones
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
   * Terminates those of the threads that have no task: they have existed for longer than startup takes. Waits until they have
   * exited: the pool starts no thread for a task that arrives before that.
   */
  private async endIdle(threads: readonly Worker[]): Promise<void> {
    const working = new Set([...this.atWork].map(([id]) => id));
    await Promise.all(threads.filter(({ threadId }) => !working.has(threadId)).map((idle) => idle.terminate()));
  }

  /** CPU time of a thread so far; undefined if it has not started or has exited. */
  private async cpuMs(id: number): Promise<number | undefined> {
    const worker = this.pool.threads.find(({ threadId }) => threadId === id);
    const used = await worker?.cpuUsage().catch(() => undefined);
    return used && (used.user + used.system) / 1_000;
  }
}
