import { describe, expect, it } from '@jest/globals';
import { history } from '../../testing/series.js';
import { deseasonalize } from './deseasonalize.js';

/** Multiples of the level by calendar month; they sum to twelve. */
const SEASON = [1, 1.2, 1.4, 1.6, 1.4, 1.2, 1, 0.8, 0.6, 0.4, 0.6, 0.8];

describe('deseasonalize', () => {
  it('leaves only the level when the season repeats every year', () => {
    const seasonal = history(Array.from({ length: 60 }, (_, t) => 100 * SEASON[t % 12]!));
    for (const value of deseasonalize(seasonal)) expect(value).toBeCloseTo(100, 6);
  });

  it('scales a month of very low demand up by a factor of at most ten', () => {
    const july = history(Array.from({ length: 60 }, (_, t) => (t % 12 === 6 ? 1 : 100)));
    const free = deseasonalize(july);
    expect(free[6]).toBeCloseTo(10, 6);
    expect(free[0]).toBeCloseTo((100 * (11 * 100 + 1)) / 12 / 100, 6);
  });

  it('keeps missing months missing, and values of less than two and a half years unchanged', () => {
    const gaps = deseasonalize(history(Array.from({ length: 60 }, (_, t) => (t === 20 ? NaN : 100 * SEASON[t % 12]!))));
    expect(gaps[20]).toBeNaN();
    expect(gaps[21]).toBeGreaterThan(90);
    const short = Array.from({ length: 24 }, (_, t) => 100 * SEASON[t % 12]!);
    expect([...deseasonalize(history(short))]).toEqual(short);
  });

  it('finds no season where a calendar month was never observed', () => {
    const values = Array.from({ length: 60 }, (_, t) => (t % 12 === 7 ? NaN : 100 * SEASON[t % 12]!));
    expect([...deseasonalize(history(values))]).toEqual(values);
  });

  it('finds no season in noise', () => {
    const noise = Array.from({ length: 60 }, (_, t) => 100 + ((t * 37) % 11));
    const free = deseasonalize(history(noise));
    free.forEach((value, t) => expect(Math.abs(value / noise[t]! - 1)).toBeLessThan(0.05));
  });

  it('finds no season in zero demand', () => {
    expect([...deseasonalize(history(new Array<number>(48).fill(0)))]).toEqual(new Array<number>(48).fill(0));
  });
});
