import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { OverlongTask, ThreadPool, UnbegunTask } from './thread-pool.js';

/** The worker of these tests. Plain JavaScript: the test runner's transforms do not apply in threads. */
const WORK = `
  import { threadId } from 'node:worker_threads';
  export default async ({ task, thread }) => {
    thread[0] = threadId;
    if (task === 'hang') for (;;);
    if (task === 'die') process.exit(1);
    if (task === 'wait') await new Promise((resolve) => setTimeout(resolve, 1_000));
    return task;
  };
`;

describe('a thread pool', () => {
  let directory: string;
  let pool: ThreadPool;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'threads-'));
    await writeFile(join(directory, 'work.mjs'), WORK);
  });
  afterEach(() => pool.destroy());
  afterAll(() => rm(directory, { recursive: true }));

  const threads = (count: number, mostCpuMs: number): ThreadPool =>
    (pool = new ThreadPool(count, join(directory, 'work.mjs'), mostCpuMs));

  it('terminates a task that never ends', async () => {
    await expect(threads(2, 60).run('hang')).rejects.toThrow(OverlongTask);
    expect(await pool.run('done')).toBe('done');
  });

  it('does not terminate a task that waits without computing', async () => {
    expect(await threads(1, 500).run('wait')).toBe('wait');
  });

  it('terminates a thread that fails to start and runs the next task in another', async () => {
    const [flag, file] = [join(directory, 'may-start'), join(directory, 'stuck.mjs')];
    const stuck = `
      import { existsSync } from 'node:fs';
      if (!existsSync(${JSON.stringify(flag)})) await new Promise(() => setInterval(() => undefined, 1_000));`;
    await writeFile(file, `${stuck}\n${WORK}`);
    pool = new ThreadPool(1, file, 60_000, 10_000);
    await expect(pool.run('done')).rejects.toThrow(UnbegunTask);
    await writeFile(flag, '');
    expect(await pool.run('done')).toBe('done');
  }, 60_000);

  it.each(['hang', 'die'])(
    'continues with the waiting task when the one before makes its only thread %s',
    async (task) => {
      const [ended, next] = [threads(1, 60).run(task), pool.run('done')];
      await expect(ended).rejects.toThrow();
      expect(await next).toBe('done');
    },
  );

  it('rejects waiting and later tasks once destroyed', async () => {
    const tasks = [threads(1, 60_000).run('hang'), pool.run('done')];
    const ended = Promise.allSettled(tasks);
    await pool.destroy();
    tasks.push(pool.run('done'));
    await ended;
    for (const task of tasks) await expect(task).rejects.toThrow();
  });
});
