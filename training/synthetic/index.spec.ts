import { describe, expect, it } from '@jest/globals';
import { BLOCK_SERIES, SERIES_MONTHS, writeBlock } from './index.js';

const SETTINGS = { eventful: 0.5, gaussianProcess: 0.5 };

describe('synthetic series', () => {
  it('depend only on seed, epoch and block', () => {
    const block = (seed: number, epoch: number, before: number) => {
      const pool = new Float32Array(3 * BLOCK_SERIES * SERIES_MONTHS);
      for (let i = 0; i < before; i++) writeBlock(pool, i, seed, epoch, SETTINGS);
      writeBlock(pool, 2, seed, epoch, SETTINGS);
      return pool.slice(2 * BLOCK_SERIES * SERIES_MONTHS);
    };
    expect(block(1, 4, 2)).toEqual(block(1, 4, 0));
    expect(block(1, 5, 0)).not.toEqual(block(1, 4, 0));
    expect(block(2, 4, 0)).not.toEqual(block(1, 4, 0));
  });

  it('are finite and mostly vary', () => {
    const blocks = 20;
    const pool = new Float32Array(blocks * BLOCK_SERIES * SERIES_MONTHS);
    for (let i = 0; i < blocks; i++) writeBlock(pool, i, 3, 0, SETTINGS);
    let varying = 0;
    for (let at = 0; at < pool.length; at += SERIES_MONTHS)
      if (new Set(pool.subarray(at, at + SERIES_MONTHS)).size > 3) varying++;
    expect(pool.every((x) => Number.isFinite(x))).toBe(true);
    expect(varying).toBeGreaterThan(0.8 * blocks * BLOCK_SERIES);
  });
});
