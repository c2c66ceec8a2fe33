import { describe, expect, it } from '@jest/globals';
import type { Problem } from '../../platform/http/problem.js';
import { UploadSlots } from './upload-slots.js';

describe('slots for uploads that are still coming', () => {
  it('pass to who has waited longest, whatever became of the work before', async () => {
    const slots = new UploadSlots(1);
    const done: string[] = [];
    const upload = (name: string, fails = false) =>
      slots.run(async () => {
        await Promise.resolve();
        done.push(name);
        if (fails) throw new Error(name);
      });
    await Promise.allSettled([upload('a', true), upload('b'), upload('c')]);
    await upload('d');
    expect(done).toEqual(['a', 'b', 'c', 'd']);
  });

  it('are waited for in time only, and lost to nobody who has given up', async () => {
    const slots = new UploadSlots(1, 20);
    let end: () => void = () => undefined;
    const first = slots.run(() => new Promise<void>((resolve) => (end = resolve)));
    const refusal = (await slots.run(() => Promise.resolve()).catch((error: unknown) => error)) as Problem;
    expect([refusal.status, refusal.code, refusal.options.headers]).toEqual([
      503,
      'not_ready',
      { 'retry-after': '60' },
    ]);
    end();
    await first;
    expect(await slots.run(() => Promise.resolve('stored'))).toBe('stored');
  });
});
