import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ReadCache } from './read-cache.js';

describe('a cache of what was read', () => {
  let now: number;
  let reads: number;
  beforeEach(() => {
    now = reads = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
  });
  afterEach(() => void jest.restoreAllMocks());

  const read = (value: string | undefined) => () => {
    reads += 1;
    return Promise.resolve(value);
  };

  it('reads a value once for concurrent and subsequent readers, and again when its time is over', async () => {
    const cache = new ReadCache<string>(1_000, 10);
    expect(await Promise.all([cache.get('a', read('first')), cache.get('a', read('second'))])).toEqual([
      ...['first', 'first'],
    ]);
    now = 999;
    expect(await cache.get('a', read('third'))).toBe('first');
    now = 1_000;
    expect(await cache.get('a', read('fourth'))).toBe('fourth');
    expect(reads).toBe(2);
  });

  it('keeps neither missing values nor failures', async () => {
    const cache = new ReadCache<string>(1_000, 10);
    expect(await cache.get('a', read(undefined))).toBeUndefined();
    await expect(cache.get('a', () => Promise.reject(new Error('away')))).rejects.toThrow('away');
    expect(await cache.get('a', read('there'))).toBe('there');
  });

  it('keeps a value when an earlier read that found none ends later', async () => {
    const cache = new ReadCache<string>(1_000, 10);
    let end!: (value: undefined) => void;
    const none = cache.get('a', () => new Promise((resolve) => (end = resolve)));
    now = 1_000;
    await cache.get('a', read('there'));
    end(undefined);
    await none;
    expect(await cache.get('a', read('again'))).toBe('there');
  });

  it('drops what was read longest ago when it is full', async () => {
    const cache = new ReadCache<string>(1_000, 2);
    for (const key of ['a', 'b']) await cache.get(key, read(key));
    now = 1_000;
    for (const key of ['b', 'a', 'c']) await cache.get(key, read(key));
    expect(reads).toBe(5);
    for (const key of ['a', 'c']) await cache.get(key, read(key));
    expect(reads).toBe(5);
    await cache.get('b', read('b'));
    expect(reads).toBe(6);
  });

  it('is empty once it was cleared', async () => {
    const cache = new ReadCache<string>(1_000, 10);
    await cache.get('a', read('first'));
    cache.clear();
    expect(await cache.get('a', read('second'))).toBe('second');
  });
});
