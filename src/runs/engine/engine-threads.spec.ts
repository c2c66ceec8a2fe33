import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Piscina } from 'piscina';
import { loadSettings } from '../../../config/settings.js';
import { Metrics } from '../../platform/metrics/metrics.js';
import type { EngineTask } from './engine-tasks.js';
import { EngineThreads } from './engine-threads.js';
import type { ThreadTask } from './thread-pool.js';

describe('engine threads', () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('take only as many explanations at once as there are threads, so that a run task waits behind no more', async () => {
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const asked: string[] = [];
    jest.spyOn(Piscina.prototype, 'run').mockImplementation(async ({ task }: ThreadTask<EngineTask>) => {
      asked.push(task.kind);
      await held;
    });
    const threads = new EngineThreads(loadSettings({ WORKER_THREADS: '2' }), new Metrics());
    const explanations = Array.from({ length: 5 }, () => threads.explain({} as Parameters<typeof threads.explain>[0]));
    const fitted = threads.fit({} as Parameters<typeof threads.fit>[0]);
    release();
    await Promise.all([...explanations, fitted]);
    expect(asked).toEqual(['explain', 'explain', 'fit', 'explain', 'explain', 'explain']);
    await threads.abandon();
  });
});
