import { describe, expect, it } from '@jest/globals';
import { ReadingSlots } from './reading-slots.js';

/** Work that goes on until it is told to end. */
class Work {
  private finish!: () => void;
  started = false;
  private readonly ended = new Promise<void>((resolve) => (this.finish = resolve));

  readonly run = (): Promise<void> => {
    this.started = true;
    return this.ended;
  };

  end(): void {
    this.finish();
  }
}

const turnOfEventLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function begin(slots: ReadingSlots, keys: readonly string[]) {
  return keys.map((key) => {
    const work = new Work();
    return {
      work,
      result: slots.run(key, work.run).then(
        () => 'answered',
        (refusal: unknown) => refusal,
      ),
    };
  });
}

describe('slots for reading the feed', () => {
  it('are limited for a key and for all of them', async () => {
    const begun = begin(new ReadingSlots({ total: 4, perKey: 2, longestWait: 5_000 }), [...'aaabbcc']);
    expect(begun.map(({ work }) => work.started)).toEqual([true, true, false, true, true, false, false]);
    for (const { work } of begun) work.end();
    expect(await Promise.all(begun.map(({ result }) => result))).toEqual(Array(7).fill('answered'));
  });

  it('pass to whoever has waited longest among those that may take them', async () => {
    const [first, second, third, other] = begin(new ReadingSlots({ total: 2, perKey: 1, longestWait: 5_000 }), [
      ...'abac',
    ]);
    second!.work.end();
    await turnOfEventLoop();
    expect([third!.work.started, other!.work.started]).toEqual([false, true]);
    first!.work.end();
    await turnOfEventLoop();
    expect(third!.work.started).toBe(true);
    third!.work.end();
    other!.work.end();
    await Promise.all([third!.result, other!.result]);
  });

  it('come free when the work fails', async () => {
    const slots = new ReadingSlots({ total: 1, perKey: 1, longestWait: 5_000 });
    await expect(slots.run('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await slots.run('a', () => Promise.resolve('answered'))).toBe('answered');
  });

  it('are refused after a while: 429 to a key that fills its share, 503 where others fill the rest', async () => {
    const begun = begin(new ReadingSlots({ total: 3, perKey: 2, longestWait: 20 }), [...'aaabc']);
    expect(await begun[2]!.result).toMatchObject({ status: 429, options: { headers: { 'retry-after': '5' } } });
    expect(await begun[4]!.result).toMatchObject({ status: 503, options: { headers: { 'retry-after': '5' } } });
    expect([begun[2]!.work.started, begun[4]!.work.started]).toEqual([false, false]);
    for (const { work } of begun) work.end();
    await Promise.all(begun.map(({ result }) => result));
  });
});
