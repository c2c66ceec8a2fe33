import { describe, expect, it } from '@jest/globals';
import type { SourceOrder } from '../orders/order.js';
import { PlatformFault } from '../platform-fault.js';
import { latestChange, readRecords } from './records.js';

interface Told {
  readonly id?: string;
  readonly changed: string;
}
const toOrder = ({ id, changed }: Told): SourceOrder => ({
  id: id!.trim(),
  updatedAt: new Date(changed),
  placed: '2026-10-05',
  lines: [],
});
const good = { id: '1', changed: '2026-10-05T12:00:00Z' };

describe('the records of a page', () => {
  it.each<[string, Told]>([
    ['lacks its id', { changed: good.changed }],
    ['has an empty id', { ...good, id: ' ' }],
    ['has an id that cannot be stored', { ...good, id: '1\u00002' }],
    ['has no date', { ...good, changed: 'never' }],
  ])('are read but for one that %s', async (_what, wrong) => {
    const orders = await readRecords([wrong, good], toOrder);
    expect(orders).toEqual([undefined, toOrder(good)]);
    expect(latestChange(orders)).toEqual(new Date(good.changed));
  });

  it('are not told apart from a fault of the platform', async () => {
    const fails = () => Promise.reject(PlatformFault.passing('timed_out', 'The shop did not answer in time.'));
    await expect(readRecords([good], fails)).rejects.toThrow(PlatformFault);
  });
});
