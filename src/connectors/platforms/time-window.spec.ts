import { describe, expect, it } from '@jest/globals';
import { firstWindow, nextWindow } from './time-window.js';

const at = (second: number): Date => new Date(Date.UTC(2026, 0, 1, 0, 0, second));

describe('a time window', () => {
  it('moves to the last change that was seen and begins to count anew', () => {
    const moved = nextWindow({ after: at(0).toISOString(), page: 3 }, at(30), 1_000);
    expect(moved).toEqual({ after: at(29).toISOString(), page: 1 });
  });

  it('counts pages while all that was seen changed at once', () => {
    const first = firstWindow(at(10));
    expect(nextWindow(first, at(11), 1_000)).toEqual({ ...first, page: 2 });
    expect(nextWindow({ ...first, page: 2 }, at(11), 1_000)).toEqual({ ...first, page: 3 });
  });
});
