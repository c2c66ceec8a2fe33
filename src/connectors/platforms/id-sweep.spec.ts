import { describe, expect, it } from '@jest/globals';
import type { SourceOrder } from '../orders/order.js';
import { advance, stepOf, type SyncCursor } from '../sync/sync-cursor.js';
import { FIRST_ROW, offsetPage, type OffsetSweep, seenInSweep, sweepOf } from './id-sweep.js';

const SIZE = 40;
const changedAt = (time: string): SourceOrder => ({
  id: '1',
  updatedAt: new Date(time),
  placed: '2026-10-15',
  lines: [],
});

const begin = (position: unknown) =>
  sweepOf<OffsetSweep>({ stream: 'orders', isNew: true, since: new Date(0), position }, FIRST_ROW);

/**
 * Reads a list to its end.
 * @param meanwhile changes it after each page
 * @param hidden returns true for rows that the pages omit although the total includes them
 */
async function sweep(
  list: number[],
  meanwhile: (page: number) => void,
  hidden?: (id: number) => boolean,
): Promise<{ read: number[]; pages: number }> {
  const read: number[] = [];
  let pages = 0;
  let position: OffsetSweep | null = begin(null);
  for (; position !== null; pages += 1) {
    if (pages === 1_000) throw new Error('the sweep does not end');
    const { next }: { next: OffsetSweep | null } = await offsetPage(position, {
      rows: list.slice(position.offset, position.offset + SIZE).filter((id) => !hidden?.(id)),
      size: SIZE,
      ...(hidden && { total: list.length }),
      idOf: (id) => id,
      toOrders: (ids) => {
        read.push(...ids);
        return Promise.resolve([]);
      },
    });
    position = next;
    meanwhile(pages);
  }
  return { read, pages };
}

const SHOP = { streams: ['orders'], countsFrom: '2026-10-01' };

/** Reads rows 1 to `count` as syncs do, a hundred per page. @param hidden as for {@link sweep} */
async function sync(count: number, hidden: (id: number) => boolean): Promise<{ read: number[]; pages: number }> {
  const [list, size] = [numbers(count), 100];
  const read: number[] = [];
  let cursor: Partial<SyncCursor> = {};
  for (let pages = 1; ; pages += 1) {
    const position = sweepOf<OffsetSweep>(stepOf(cursor, SHOP), FIRST_ROW);
    const page = await offsetPage(position, {
      rows: list.slice(position.offset, position.offset + size).filter((id) => !hidden(id)),
      size,
      total: count,
      idOf: (id) => id,
      toOrders: (ids) => {
        read.push(...ids);
        return Promise.resolve([]);
      },
    });
    const after = advance(cursor, page, SHOP, new Date());
    if (after.done) return { read, pages };
    ({ cursor } = after);
  }
}

const numbers = (count: number, step = 1): number[] => Array.from({ length: count }, (_, at) => (at + 1) * step);

describe('a sweep by row id', () => {
  it('reads an unchanged list once', async () => {
    expect(await sweep(numbers(99), () => undefined)).toEqual({ read: numbers(99), pages: 3 });
    expect(await sweep(numbers(39), () => undefined)).toEqual({ read: numbers(39), pages: 1 });
    expect(await sweep([], () => undefined)).toEqual({ read: [], pages: 1 });
  });

  it.each<[string, (list: number[], page: number) => void]>([
    ['an earlier row is deleted', (list) => list.splice(3, 1)],
    ['more rows than two pages overlap are deleted', (list, page) => page < 5 && list.splice(0, 25)],
    ['the first rows of the next page are deleted', (list, page) => page === 1 && list.splice(60, 20)],
    ['almost everything is deleted', (list, page) => page === 2 && list.splice(5, 85)],
    ['rows are added before those already read', (list, page) => page < 9 && list.unshift(...numbers(7, -page - 2))],
    ['a whole page of rows is added', (list, page) => page === 1 && list.unshift(...numbers(SIZE, -1))],
  ])('misses no row that was there throughout when %s', async (_what, change) => {
    const list = numbers(300);
    const { read } = await sweep(list, (page) => change(list, page));
    const stayed = list.filter((id) => id > 0 && id <= 300);
    expect(stayed.filter((id) => !read.includes(id))).toEqual([]);
  });

  it.each<[string, (id: number) => boolean]>([
    ['here and there', (id) => id % 17 === 0],
    ['at the end of a page', (id) => id > 30 && id <= 40],
    ['almost a whole page', (id) => id > 40 && id <= 77],
    ['several whole pages', (id) => id > 20 && id <= 180],
    ['the last rows', (id) => id > 250],
  ])('reads every visible row of a list with hidden rows: %s', async (_what, hidden) => {
    const list = numbers(300);
    const { read, pages } = await sweep(list, () => undefined, hidden);
    expect(read).toEqual(list.filter((id) => !hidden(id)));
    expect(pages).toBeLessThan(30);
  });

  it('misses no visible row when rows already read are deleted', async () => {
    const list = numbers(300);
    const hidden = (id: number): boolean => id % 3 === 0;
    const { read } = await sweep(list, (page) => page < 5 && list.splice(0, 30), hidden);
    expect(list.filter((id) => !hidden(id) && !read.includes(id))).toEqual([]);
  });

  it('reaches the end of a list with several consecutive empty pages', async () => {
    const { read } = await sync(3_000, (id) => id > 300 && id <= 2_500);
    expect(read).toEqual([...numbers(300), ...numbers(3_000).slice(2_500)]);
  });

  it('reads the few visible rows among many hidden ones, wherever they are', async () => {
    for (let shown = 11; shown <= 15; shown += 1) {
      for (let first = 401; first <= 500; first += 1) {
        const { read } = await sync(1_000, (id) => id > 100 && id <= 900 && (id < first || id >= first + shown));
        const island = numbers(shown).map((nth) => first + nth - 1);
        expect(read).toEqual([...numbers(100), ...island, ...numbers(1_000).slice(900)]);
      }
    }
  });

  it('requests each page once when most rows are hidden', async () => {
    const { read, pages } = await sync(20_000, (id) => id % 7 !== 0);
    expect(read).toHaveLength(Math.floor(20_000 / 7));
    expect(pages).toBeLessThan(210);
  });

  it('fails when the platform sends the same full page whatever the offset', async () => {
    const pages = async (): Promise<void> => {
      let cursor: Partial<SyncCursor> = {};
      for (let count = 0; count < 100; count += 1) {
        const position = sweepOf<OffsetSweep>(stepOf(cursor, SHOP), FIRST_ROW);
        const rows = { rows: numbers(SIZE), size: SIZE, idOf: (id: number) => id, toOrders: () => Promise.resolve([]) };
        ({ cursor } = advance(cursor, await offsetPage(position, rows), SHOP, new Date()));
      }
    };
    await expect(pages()).rejects.toThrow('the same list on every page');
  });

  it('resumes at its position, and starts over from a position of another kind', () => {
    const position = { begun: '2026-11-01T10:00:00.000Z', offset: 90, last: ['91'] };
    expect(begin(position)).toEqual(position);
    expect(begin({ after: '2026-11-01T10:00:00.000Z', page: 3 })).toEqual({ ...FIRST_ROW, begun: expect.any(String) });
  });

  it('does not count changes made after it began as seen, since a row already passed may have changed earlier', () => {
    const position = { begun: '2026-11-01T10:00:00.000Z' };
    const seen = (...times: string[]) => seenInSweep(position, times.map(changedAt));
    expect(seen('2026-11-01T09:00:00Z', '2026-11-01T08:00:00Z')).toEqual(new Date('2026-11-01T09:00:00Z'));
    expect(seen('2026-11-01T09:00:00Z', '2026-11-01T10:30:00Z')).toEqual(new Date(position.begun));
    expect(seenInSweep(position, [undefined])).toBeNull();
  });
});
