import { describe, expect, it } from '@jest/globals';
import { PlatformFault } from '../platform-fault.js';
import type { PulledPage } from '../platforms/platform.js';
import { advance, stepOf, type SyncCursor } from './sync-cursor.js';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const BOOKS = { streams: ['invoices', 'credits'], countsFrom: '2026-10-01' };
const SHOP = { streams: ['orders'], countsFrom: '2026-10-01' };
const page = (next: unknown, seen: string | null): PulledPage => ({
  orders: [],
  next,
  seen: seen === null ? null : new Date(seen),
});

describe('the sync cursor', () => {
  it('starts the day before the first day that counts', () => {
    expect(stepOf({}, BOOKS)).toEqual({
      stream: 'invoices',
      isNew: true,
      since: new Date('2026-09-30T00:00:00Z'),
      position: null,
    });
  });

  it('starts a year before the first day that counts when documents can be post-dated', () => {
    expect(stepOf({}, { ...BOOKS, datedAhead: { days: 366 } }).since).toEqual(new Date('2025-09-30T00:00:00Z'));
  });

  it('goes through the pages of one stream, then the next, and remembers where both ended', () => {
    const one = advance({}, page({ n: 2 }, '2026-10-05T00:00:00.000Z'), BOOKS, NOW);
    expect(one.done).toBe(false);
    expect(stepOf(one.cursor, BOOKS)).toMatchObject({ stream: 'invoices', position: { n: 2 } });
    const two = advance(one.cursor, page(null, '2026-10-04T00:00:00.000Z'), BOOKS, NOW);
    expect(two).toMatchObject({
      done: false,
      cursor: { seen: { invoices: '2026-10-05T00:00:00.000Z' }, open: { stream: 'credits', position: null } },
    });
    const three = advance(two.cursor, page(null, '2026-10-06T00:00:00.000Z'), BOOKS, NOW);
    expect(three).toEqual({
      done: true,
      cursor: { seen: { invoices: '2026-10-05T00:00:00.000Z', credits: '2026-10-06T00:00:00.000Z' }, open: null },
    });
  });

  it('starts an unread stream where another stream has already covered it', () => {
    const holds = { stream: 'credits', until: new Date('2026-11-21T11:00:00Z') };
    const first = advance({}, { ...page({ n: 2 }, null), holds }, BOOKS, NOW).cursor;
    expect(stepOf(first, BOOKS)).toMatchObject({ stream: 'invoices', isNew: true });
    const read = advance(first, page(null, null), BOOKS, NOW).cursor;
    expect(stepOf(read, BOOKS)).toMatchObject({
      stream: 'credits',
      isNew: false,
      since: new Date('2026-11-21T10:50:00Z'),
    });
    const known = { seen: { credits: '2026-11-20T11:00:00.000Z' }, open: null };
    expect(advance(known, { ...page({ n: 2 }, null), holds }, BOOKS, NOW).cursor.seen).toEqual(known.seen);
  });

  /** Reads pages of one order each. @param versions minutes at which the order of each page was changed */
  function readOn(versions: readonly number[]): SyncCursor {
    const order = (minute: number) => {
      const changed = new Date(Date.UTC(2026, 10, 1, 10, minute));
      return { id: '1', updatedAt: changed, placed: changed, lines: [] };
    };
    return versions.reduce<SyncCursor>(
      (cursor, minute, at) =>
        advance(cursor, { orders: [order(minute)], next: { page: at }, seen: null }, SHOP, NOW).cursor,
      { seen: {}, open: null },
    );
  }

  it('fails when the platform keeps sending the same page', () => {
    const again = Array.from({ length: 20 }, () => 5);
    expect(readOn(again).open).toMatchObject({ position: { page: 19 } });
    expect(() => readOn([...again, 5])).toThrow(PlatformFault);
    expect(readOn([...again, 6, ...again]).open).toMatchObject({ position: { page: 40 } });
  });

  it('continues when every page lists another change to the same order', () => {
    const order = { id: '1', updatedAt: NOW, placed: NOW, lines: [] };
    const lists = (listed: (at: number) => number) =>
      Array.from({ length: 30 }).reduce<SyncCursor>(
        (cursor, _, at) =>
          advance(cursor, { orders: [order], listed: [listed(at)], next: { page: at }, seen: null }, SHOP, NOW).cursor,
        { seen: {}, open: null },
      );
    expect(lists((at) => at).open).toMatchObject({ position: { page: 29 } });
    expect(() => lists(() => 1)).toThrow(PlatformFault);
  });

  it('starts each stream ten minutes before its last change', () => {
    const cursor = { seen: { invoices: '2026-11-01T10:00:00.000Z' }, open: null };
    expect(stepOf(cursor, BOOKS).since).toEqual(new Date('2026-11-01T09:50:00Z'));
  });

  it('keeps the last change when a sync brings none, and ignores changes dated in the future', () => {
    const cursor = { seen: { orders: '2026-11-01T10:00:00.000Z' }, open: null };
    const quiet = advance(cursor, page(null, null), SHOP, NOW);
    expect(quiet.cursor.seen).toEqual(cursor.seen);
    const ahead = advance(cursor, page(null, '2030-01-01T00:00:00.000Z'), SHOP, NOW);
    expect(ahead.cursor.seen).toEqual({ orders: NOW.toISOString() });
  });
});
