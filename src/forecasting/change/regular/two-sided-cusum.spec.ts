import { describe, expect, it } from '@jest/globals';
import { TwoSidedCusum } from './two-sided-cusum.js';

const LIMIT = 4;
const COOL_DOWN = 3;

/** Alarms of these scores, one after the other. */
function alarmsOf(scores: readonly number[], chart = new TwoSidedCusum(LIMIT, COOL_DOWN)) {
  return scores.map((score, index) => chart.add(score, index));
}
const times = (count: number, score: number): number[] => new Array<number>(count).fill(score);
const none = (count: number): undefined[] => new Array<undefined>(count).fill(undefined);

describe.each([1, -1] as const)('a CUSUM chart of scores in direction %p', (side) => {
  const alarms = (...scores: readonly number[]) => alarmsOf(scores.map((score) => side * score));

  it('adds what is above half a sigma, and raises an alarm above the limit', () => {
    expect(alarms(...times(8, 1), 1)).toEqual([...none(8), side]);
    expect(alarms(...times(50, 0.5))).toEqual(none(50));
  });

  it('counts one observation as three sigmas at most', () => {
    expect(alarms(100, 100)).toEqual([undefined, side]);
    expect(alarms(100, 2, 1)).toEqual([undefined, undefined, side]);
  });

  it('forgets an excursion below zero', () => {
    expect(alarms(...times(9, -1), ...times(8, 1), 1).at(-1)).toBe(side);
  });

  it('holds the sum at twice the limit, so that a long excursion ends soon after its cause', () => {
    const after = alarms(...times(30, 3), ...times(9, -0.5)).slice(30);
    expect(after).toEqual([side, side, side, ...none(6)]);
  });

  it('starts again after a report, and keeps its direction quiet for the cool-down', () => {
    const chart = new TwoSidedCusum(LIMIT, COOL_DOWN);
    const add = (score: number, index: number) => chart.add(side * score, index);
    expect([add(3, 0), add(3, 1)]).toEqual([undefined, side]);
    chart.reported(side, 1);
    expect([2, 3, 4, 5].map((index) => add(3, index))).toEqual([undefined, undefined, undefined, side]);
  });

  it('lets the other direction alarm during a cool-down, but starts its sum again, too', () => {
    const chart = new TwoSidedCusum(LIMIT, COOL_DOWN);
    const add = (score: number, index: number) => chart.add(side * score, index);
    expect([add(-2.5, 0), add(-2.5, 1)]).toEqual([undefined, undefined]);
    chart.reported(side, 1);
    expect([add(-2.5, 2), add(-2.5, 3), add(-2.5, 4)]).toEqual([undefined, undefined, -side]);
  });
});
