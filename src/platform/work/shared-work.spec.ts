import { describe, expect, it } from '@jest/globals';
import { SharedWork } from './shared-work.js';

describe('shared work', () => {
  it('is done once for all who ask for it while it is in progress, and again for those who ask later', async () => {
    const shared = new SharedWork<number>();
    let times = 0;
    const ask = () => shared.share('work', () => Promise.resolve((times += 1)));
    expect(await Promise.all([ask(), ask()])).toEqual([1, 1]);
    expect(await ask()).toBe(2);
  });

  it('is separate for each key', async () => {
    const shared = new SharedWork<string>();
    const ask = (key: string) => shared.share(key, () => Promise.resolve(key));
    expect(await Promise.all([ask('one'), ask('other')])).toEqual(['one', 'other']);
  });

  it('fails for all who share it, and can be asked for again', async () => {
    const shared = new SharedWork<string>();
    const fail = () => shared.share('work', () => Promise.reject(new Error('failed')));
    const outcomes = await Promise.allSettled([fail(), fail()]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await shared.share('work', () => Promise.resolve('done'))).toBe('done');
  });

  it('is waited for until it ends, even if it fails', async () => {
    const shared = new SharedWork<void>();
    let fail!: (error: Error) => void;
    const work = shared.share('work', () => new Promise((_, reject) => (fail = reject)));
    let ended = false;
    const waiting = shared.ended().then(() => (ended = true));
    await new Promise((resolve) => setImmediate(resolve));
    expect(ended).toBe(false);
    fail(new Error('failed'));
    await expect(work).rejects.toThrow('failed');
    await waiting;
    expect(ended).toBe(true);
  });
});
