import { describe, expect, it } from '@jest/globals';
import type { SourceOrder } from '../orders/order.js';
import { type TimeWindow, windowedPage, windowOf } from './time-window.js';

const at = (second: number): Date => new Date(Date.UTC(2026, 0, 1, 0, 0, second));
const changedAt = (second: number): SourceOrder => ({ id: '1', updatedAt: at(second), placed: at(0), lines: [] });
const nextAfter = (window: TimeWindow, second: number) =>
  windowedPage(window, { orders: [changedAt(second)], full: true }).next;

describe('a time window', () => {
  it('moves to the last change that was seen and begins to count anew', () => {
    expect(nextAfter({ after: at(0).toISOString(), page: 3 }, 30)).toEqual({ after: at(29).toISOString(), page: 1 });
  });

  it('counts pages while all that was seen changed at once', () => {
    const first = windowOf({ stream: 'orders', since: at(10), position: null });
    expect(nextAfter(first, 11)).toEqual({ ...first, page: 2 });
    expect(nextAfter({ ...first, page: 2 }, 11)).toEqual({ ...first, page: 3 });
  });

  it('goes on where the former page says, and ends behind a page that is not full', () => {
    const window = windowOf({ stream: 'orders', since: at(0), position: { after: at(5).toISOString(), page: 2 } });
    expect(window).toEqual({ after: at(5).toISOString(), page: 2 });
    expect(windowedPage(window, { orders: [changedAt(7)], full: false })).toMatchObject({ next: null, seen: at(7) });
  });
});
