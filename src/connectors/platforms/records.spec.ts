import { describe, expect, it } from '@jest/globals';
import type { SourceOrder } from '../orders/order.js';
import { PlatformFault } from '../platform-fault.js';
import { askFor, idOf, latestChange, readAll, readRecords } from './records.js';

interface Told {
  readonly id?: string | number;
  readonly changed: string;
  readonly day?: string;
}
const toOrder = ({ id, changed, day = '2026-10-05' }: Told): SourceOrder => ({
  id: idOf(id),
  updatedAt: new Date(changed),
  placed: day,
  lines: [],
});
const good = { id: '1', changed: '2026-10-05T12:00:00Z' };

describe('the records of a page', () => {
  it.each<[string, Told]>([
    ['has no id', { changed: good.changed }],
    ['has an empty id', { ...good, id: ' ' }],
    ['has an id that cannot be stored', { ...good, id: '1\u00002' }],
    ['has an id rounded by JSON', { ...good, id: 2 ** 53 }],
    ['has no date', { ...good, changed: 'never' }],
    ['has a day that does not exist', { ...good, day: '2026-02-30' }],
    ['has a day in year 0', { ...good, day: '0000-01-01' }],
  ])('are read except for one that %s', async (_what, wrong) => {
    const orders = await readRecords([wrong, good], toOrder);
    expect(orders).toEqual([undefined, toOrder(good)]);
    expect(latestChange(orders)).toEqual(new Date(good.changed));
  });

  it('are read except for one that is nothing at all', async () => {
    expect(await readRecords([null as never, good], toOrder)).toEqual([undefined, toOrder(good)]);
  });

  it('are read without those of orders that are set aside', async () => {
    const others = { setAside: new Set(['1']) };
    expect(await readRecords([good, { ...good, id: 2 }], toOrder, others)).toEqual([toOrder({ ...good, id: 2 })]);
    const orderId = ({ id }: Told) => `of ${id}`;
    expect(await readRecords([good], toOrder, { setAside: new Set(['of 1']), orderId })).toEqual([]);
  });

  it('are not skipped when the platform fails', async () => {
    const fails = () => Promise.reject(PlatformFault.passing('timed_out', 'The shop did not answer in time.'));
    await expect(readRecords([good], fails)).rejects.toMatchObject({
      code: 'timed_out',
      message: 'The shop did not answer in time.',
    });
  });

  it.each([
    ['names the order', '1', ' The request was about order 1.'],
    ['does not repeat an id that is none', 'a b', ''],
    ['is as it was without an id', undefined, ''],
  ])('whose further parts are malformed fail with a message that %s', async (_what, id, addition) => {
    const cause = new TypeError('x is not iterable');
    const fails = () => askFor(() => Promise.reject(cause));
    await expect(readRecords([{ id }], fails)).rejects.toMatchObject({
      kind: 'passing',
      code: 'malformed_reply',
      message: `The platform’s response does not match its documentation.${addition}`,
      cause,
      order: addition === '' ? undefined : id,
    });
  });
});

describe('a list that is read to the end', () => {
  it('contains all its parts', async () => {
    const parts = [[1, 2], [3, 4], [5]];
    const read = (known: readonly number[]) =>
      Promise.resolve({ records: parts[known.length / 2]!, more: known.length < 4 });
    expect(await readAll(read)).toEqual([1, 2, 3, 4, 5]);
  });

  it('ends at an empty part, and fails when it never ends', async () => {
    const part = (records: readonly number[]) => () => Promise.resolve({ records, more: true });
    expect(await readAll(part([]))).toEqual([]);
    await expect(readAll(part(new Array<number>(10_000).fill(0)))).rejects.toThrow('does not end');
  });
});
