import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { PROJECT_ROOT } from '../../../config/paths.js';
import type { Settings } from '../../../config/settings.js';
import type { ExplainedChange } from '../../forecasting/index.js';
import { Problem } from '../../platform/http/problem.js';
import { Metrics } from '../../platform/metrics/metrics.js';
import { SETTINGS } from '../../platform/platform.module.js';
import { Slots } from '../../platform/work/slots.js';
import type { ExplainTask } from '../explain/explain-pairs.js';
import type { EngineTask, FitTask, FittedChunk, PoolTask } from './engine-tasks.js';
import { ThreadPool } from './thread-pool.js';

/** Seconds. */
const BUCKETS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** How many threads of a process compute at once. */
export function threadCount({ WORKER_THREADS }: Pick<Settings, 'WORKER_THREADS'>): number {
  return WORKER_THREADS ?? Math.min(8, availableParallelism());
}

/** The threads that run the engine. */
@Injectable()
export class EngineThreads implements OnApplicationShutdown {
  readonly threads: number;
  private readonly pool: ThreadPool;
  /** Queue for explanations, which many may request at once, so that only a few of them are ahead of a run's work. */
  private readonly explanations: Slots;
  private readonly durations;
  private abandoned = false;

  constructor(@Inject(SETTINGS) settings: Settings, metrics: Metrics) {
    this.threads = threadCount(settings);
    // always the compiled file: the test runner's transforms do not apply in threads
    const compiled = join(PROJECT_ROOT, 'dist', 'src', 'runs', 'engine', 'engine.thread.js');
    this.pool = new ThreadPool(this.threads, compiled);
    this.explanations = new Slots('explanations', { total: this.threads });
    metrics.gauge(
      'engine_threads',
      'Maximum number of threads that compute at once (WORKER_THREADS).',
      () => this.threads,
    );
    metrics.gaugeByState(
      'engine_tasks',
      'Tasks being computed by the threads, and tasks waiting for a thread.',
      () => ({
        running: this.pool.running,
        waiting: this.pool.waiting + this.explanations.waiting,
      }),
    );
    this.durations = metrics.histogram(
      'engine_task_duration_seconds',
      'Duration of a task in seconds, including the wait for a thread.',
      {
        labels: { kind: ['pool', 'fit', 'explain'] },
        buckets: BUCKETS,
      },
    );
  }

  /** The pooled model shared by the chunks of a run, as JSON. */
  poolWorkspace(task: Omit<PoolTask, 'kind'>): Promise<string> {
    return this.run({ kind: 'pool', ...task });
  }

  fit(task: Omit<FitTask, 'kind'>): Promise<FittedChunk> {
    return this.run({ kind: 'fit', ...task });
  }

  /**
   * @param patient whether to wait for a slot as long as it takes
   * @throws {Problem} 503 `not_ready` if no slot frees up in time
   */
  explain(task: Omit<ExplainTask, 'kind'>, patient = false): Promise<ExplainedChange[]> {
    return this.run({ kind: 'explain', ...task }, (compute) => this.explanations.run({}, compute, patient));
  }

  private async run<Result>(
    task: EngineTask,
    runInSlot = (compute: () => Promise<unknown>) => compute(),
  ): Promise<Result> {
    const begun = performance.now();
    try {
      return (await runInSlot(() => this.pool.run(task))) as Result;
    } catch (error) {
      throw this.abandoned ? Problem.notReady('This process is stopping.') : error;
    } finally {
      this.durations.observe({ kind: task.kind }, (performance.now() - begun) / 1_000);
    }
  }

  async onApplicationShutdown(): Promise<void> {
    await this.abandon();
  }

  /** Terminates the threads. Tasks that are running, waiting or submitted later are refused with 503 `not_ready`. */
  abandon(): Promise<void> {
    this.abandoned = true;
    return this.pool.destroy();
  }
}
