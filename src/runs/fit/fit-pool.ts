import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Piscina } from 'piscina';
import { PROJECT_ROOT } from '../../../config/paths.js';
import type { Settings } from '../../../config/settings.js';
import type { ExplainedChange } from '../../forecasting/index.js';
import { SETTINGS } from '../../platform/platform.module.js';
import type { ExplainTask } from '../explain/explain-pairs.js';
import type { FitTask, FittedChunk, PoolTask } from './fit-tasks.js';

/** The threads that run the engine: lower priority than the one that answers requests, and bounded memory. */
@Injectable()
export class FitPool implements OnApplicationShutdown {
  readonly threads: number;
  private readonly pool: Piscina;

  constructor(@Inject(SETTINGS) settings: Settings) {
    this.threads = settings.WORKER_THREADS ?? Math.min(8, availableParallelism());
    this.pool = new Piscina({
      // always the compiled file: a worker thread does not see the test runner's transforms
      filename: join(PROJECT_ROOT, 'dist', 'src', 'runs', 'fit', 'fit.worker.js'),
      minThreads: 0,
      maxThreads: this.threads,
      idleTimeout: 30_000,
      niceIncrement: 19,
      resourceLimits: { maxOldGenerationSizeMb: 1_024 },
    });
    this.pool.on('error', () => undefined); // a thread that dies rejects its task; that is where it is handled
  }

  /** What the chunks of a run share, as JSON. */
  learn(task: Omit<PoolTask, 'kind'>): Promise<string> {
    return this.pool.run({ kind: 'pool', ...task } satisfies PoolTask) as Promise<string>;
  }

  fit(task: Omit<FitTask, 'kind'>): Promise<FittedChunk> {
    return this.pool.run({ kind: 'fit', ...task } satisfies FitTask) as Promise<FittedChunk>;
  }

  explain(task: Omit<ExplainTask, 'kind'>): Promise<ExplainedChange[]> {
    return this.pool.run({ kind: 'explain', ...task } satisfies ExplainTask) as Promise<ExplainedChange[]>;
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool.destroy();
  }
}
