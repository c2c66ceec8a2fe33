import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { ExplainedChange } from '../../forecasting/index.js';
import type { Database } from '../../platform/database/database.js';
import type { Logger } from '../../platform/logging/logger.js';
import type { EngineThreads } from '../engine/engine-threads.js';
import type { RunDto } from '../dto/run.dto.js';
import { Comparisons, type RunPair } from './comparisons.js';

const pairOf = (organizationId: string, current: string, prior: string): RunPair => ({
  organizationId,
  current: { id: current } as RunDto,
  prior: { id: prior } as RunDto,
});

describe('comparisons of whole workspaces', () => {
  let comparisons: Comparisons;
  let compared: jest.SpiedFunction<Comparisons['some']>;
  let release: () => void;
  let error: jest.Mock<Logger['error']>;

  beforeEach(() => {
    const { promise: held, resolve } = Promise.withResolvers<void>();
    release = resolve;
    error = jest.fn<Logger['error']>();
    comparisons = new Comparisons({} as Database, {} as EngineThreads, { error } as unknown as Logger);
    compared = jest.spyOn(comparisons, 'some').mockImplementation(() => held.then(() => new Map()));
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('are limited to one pair of runs per organization at a time: a second is refused until the first ends', async () => {
    const first = comparisons.whole(pairOf('a', 'current', 'prior'), []);
    const refused = await Promise.race([
      comparisons.whole(pairOf('a', 'current', 'older'), []),
      Promise.resolve('waits'),
    ]);
    expect(refused).toBeUndefined();
    const again = comparisons.whole(pairOf('a', 'current', 'prior'), []);
    const other = comparisons.whole(pairOf('b', 'its current', 'its prior'), []);
    await new Promise(setImmediate);
    expect(compared).toHaveBeenCalledTimes(1); // one at a time in the process: the other organization waits for its turn
    release();
    expect(await Promise.all([first, again, other])).toEqual([new Map(), new Map(), new Map()]);
    expect(await comparisons.whole(pairOf('a', 'current', 'older'), [])).toEqual(new Map());
    expect(compared).toHaveBeenCalledTimes(3);
  });

  it('are cached regardless of small ones that follow, and the latest of the large ones', async () => {
    const sizes: Readonly<Record<string, number>> = { large: 9_000, larger: 9_900, another: 9_000 };
    compared.mockImplementation(({ current }) =>
      Promise.resolve(
        new Map(Array.from({ length: sizes[current.id] ?? 3 }, (_, n) => [`${n}`, {} as ExplainedChange])),
      ),
    );
    const ask = (id: string) => comparisons.whole(pairOf('a', id, 'prior'), []);
    await ask('large');
    for (let small = 0; small < 100; small += 1) await ask(`small ${small}`);
    await ask('larger');
    compared.mockClear();
    await ask('large');
    await ask('larger');
    expect(compared).not.toHaveBeenCalled();
    await ask('another');
    await ask('large');
    expect(compared).toHaveBeenCalledTimes(2);
  });

  it('are cached even if two have the maximum size', async () => {
    compared.mockResolvedValue(new Map(Array.from({ length: 10_000 }, (_, n) => [`${n}`, {} as ExplainedChange])));
    for (const id of ['one', 'another', 'one', 'another']) await comparisons.whole(pairOf('a', id, 'prior'), []);
    expect(compared).toHaveBeenCalledTimes(2);
  });

  it('can be requested again after a failure, which delays no other', async () => {
    compared.mockRejectedValueOnce(new Error('a thread died'));
    const failed = comparisons.whole(pairOf('a', 'current', 'prior'), []);
    const other = comparisons.whole(pairOf('b', 'its current', 'its prior'), []);
    await expect(failed).rejects.toThrow('a thread died');
    release();
    expect(await other).toEqual(new Map());
    expect(error).toHaveBeenCalledTimes(1);
    expect(await comparisons.whole(pairOf('a', 'current', 'prior'), [])).toEqual(new Map());
  });
});
