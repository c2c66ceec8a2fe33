import { describe, expect, it } from '@jest/globals';
import { Slots } from './slots.js';

describe('slots for work', () => {
  it('pass to who has waited longest, whatever became of the work before', async () => {
    const slots = new Slots(1, 'Busy.');
    const done: string[] = [];
    const work = (name: string, fails = false) =>
      slots.run(async () => {
        await Promise.resolve();
        done.push(name);
        if (fails) throw new Error(name);
      });
    await Promise.allSettled([work('a', true), work('b'), work('c')]);
    await work('d');
    expect(done).toEqual(['a', 'b', 'c', 'd']);
  });

  it('are waited for as long as it takes by the patient', async () => {
    const slots = new Slots(1, 'Busy.', 20);
    let end: () => void = () => undefined;
    const first = slots.run(() => new Promise<void>((resolve) => (end = resolve)));
    const patient = slots.run(() => Promise.resolve('computed'), true);
    await expect(slots.run(() => Promise.resolve())).rejects.toMatchObject({ code: 'not_ready' });
    end();
    await first;
    expect(await patient).toBe('computed');
  });

  it('are waited for in time only, and lost to nobody who has given up', async () => {
    const slots = new Slots(1, 'Busy.', 20);
    let end: () => void = () => undefined;
    const first = slots.run(() => new Promise<void>((resolve) => (end = resolve)));
    const refusal: unknown = await slots.run(() => Promise.resolve()).catch((error: unknown) => error);
    expect(slots.waiting).toBe(0);
    expect(refusal).toMatchObject({
      status: 503,
      code: 'not_ready',
      options: { headers: { 'retry-after': '60' } },
    });
    end();
    await first;
    expect(await slots.run(() => Promise.resolve('stored'))).toBe('stored');
  });
});
