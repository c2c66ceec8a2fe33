import { describe, expect, it } from '@jest/globals';
import { readAhead } from './read-ahead.js';

/** Numbers up to `last`, and after which of them a batch was read. */
function numbersTo(last: number, limit: number) {
  const reads: (number | undefined)[] = [];
  const batches = readAhead(limit, (after: number | undefined) => {
    reads.push(after);
    const first = (after ?? 0) + 1;
    return Promise.resolve(Array.from({ length: Math.min(limit, last - first + 1) }, (_, index) => first + index));
  });
  return { reads, batches };
}

async function all<Row>(batches: AsyncIterable<Row>): Promise<Row[]> {
  const read: Row[] = [];
  for await (const batch of batches) read.push(batch);
  return read;
}

describe('readAhead', () => {
  it.each([
    [5, [[1, 2], [3, 4], [5]]],
    [4, [[1, 2], [3, 4], []]],
    [0, [[]]],
  ])('returns all of %p rows in order, up to the first short batch', async (last, expected) => {
    expect(await all(numbersTo(last, 2).batches)).toEqual(expected);
  });

  it('continues after the last row that fits into a batch', async () => {
    const batches = readAhead(3, (after: number = 0) =>
      Promise.resolve(after < 2 ? [after + 1, ...(after === 0 ? [undefined] : [])] : []),
    );
    expect(await all(batches)).toEqual([[1], [2]]);
  });

  it('reads the next batch before the current one is processed, and none beyond', async () => {
    const { reads, batches } = numbersTo(5, 2);
    await batches.next();
    expect(reads).toEqual([undefined, 2]);
  });

  it('passes on what a read throws, and only if that batch is processed', async () => {
    const failing = () =>
      readAhead(1, (after: number | undefined) =>
        after === undefined ? Promise.resolve([1]) : Promise.reject(new Error('gone')),
      );
    await expect(all(failing())).rejects.toThrow('gone');
    for await (const batch of failing()) {
      expect(batch).toEqual([1]);
      break;
    }
  });
});
