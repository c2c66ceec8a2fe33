import { describe, expect, it } from '@jest/globals';
import { history } from '../testing/series.js';
import { findRestart, sinceRestart } from './restart.js';

const START = history([]).startMonth;
const zeros = (months: number) => new Array<number>(months).fill(0);
/** Frequent demand of more than single pieces. */
const sales = (months: number) => Array.from({ length: months }, (_, t) => 40 + (t % 5));

/** An order every fifth month, none in the last three. */
const RARE = Array.from({ length: 40 }, (_, t) => (t % 5 === 1 ? 40 : 0));
const OFTEN = Array.from({ length: 24 }, (_, t) => (t % 3 === 1 ? 0 : 40));

describe('sinceRestart', () => {
  it.each([
    ['zeros before a launch', [...zeros(24), ...sales(8)], 24],
    ['a relisted item', [...sales(10), ...zeros(14), ...sales(9)], 24],
    ['the latest of two restarts', [...sales(6), ...zeros(12), ...sales(6), ...zeros(13), ...sales(6)], 37],
    ['three months since the restart', [...zeros(24), ...sales(3)], 24],
    ['a silence with some missing months', [...sales(10), ...zeros(6), NaN, NaN, ...zeros(6), ...sales(9)], 24],
    ['four zeros before a launch', [...zeros(4), ...sales(8)], 4],
    ['eleven zeros before a launch, and an empty month since', [...zeros(11), ...sales(6), 0, ...sales(5)], 11],
    ['rare orders that became monthly after a silence', [40, 0, 0, 50, 0, 0, 0, 40, ...zeros(14), ...sales(8)], 22],
    ['rare orders that became monthly', [...RARE, ...sales(7), 0, ...sales(5)], 40],
    ['a pause after the restart', [...zeros(24), ...sales(6), 0, 0, 0, 0, ...sales(9)], 24],
  ])('starts at a launch or at demand after a year of none: %s', (_, values, from) => {
    const since = sinceRestart(history(values));
    expect(since.startMonth).toBe(START + from);
    expect([...since.values]).toEqual(values.slice(from));
  });

  it.each([
    ['a silence of eleven months', [...sales(10), ...zeros(11), ...sales(9)]],
    ['fewer than three months since the restart', [...zeros(24), ...sales(2)]],
    ['rare orders that came in each of the last five months', [...RARE, ...sales(5)]],
    ['orders in two months of three that became monthly', [...OFTEN, ...sales(7)]],
    ['rare orders that were monthly for a while', [...RARE, ...sales(12), ...RARE]],
    [
      'spells of ten months with demand and ten without',
      [...zeros(5), ...sales(10), ...zeros(10), ...sales(10), ...zeros(10), ...sales(10)],
    ],
    ['a spell of rare orders', [...zeros(3), 40, 0, 0, 50, 0, 0, 0, 40, ...zeros(14), 20, 50, 30]],
    ['a spell after a single order', [...zeros(9), 40, ...zeros(20), 20, 50, 30, 40]],
    ['demand of a few pieces since the restart', [...zeros(24), 1, 2, 1, 3, 2, 1]],
    ['demand that is still rare since the restart', [...zeros(24), 40, 0, 0, 50, 0, 0, 40]],
    ['frequent demand before and after a pause', [...sales(60), ...zeros(12), ...sales(9)]],
    ['four zeros before demand with a gap', [...zeros(4), ...sales(4), 0, ...sales(4)]],
    ['four zeros before a single order', [...zeros(4), 40]],
    ['no demand at all', zeros(40)],
    ['missing rather than empty months', [...sales(5), ...new Array<number>(14).fill(NaN), ...sales(5)]],
  ])('leaves %s unchanged', (_, values) => {
    const whole = history(values);
    expect(sinceRestart(whole)).toBe(whole);
  });

  it('keeps the other properties of a series', () => {
    const item = history([...zeros(24), ...sales(8)], { id: 'a', category: 'tools', unit: 'kg' });
    expect(sinceRestart(item)).toMatchObject({ id: 'a', category: 'tools', unit: 'kg' });
  });
});

describe('a fresh restart', () => {
  it.each([
    ['a launch two months ago', [...zeros(24), ...sales(2)], 24],
    ['an item relisted last month', [...sales(10), ...zeros(14), 40], 24],
    ['two months of a few pieces', [...zeros(24), 1, 2], 24],
    ['a single order after a year of none, and an empty month', [...zeros(30), 40, 0], 30],
  ])('is found when demand started anew too recently to forecast from it alone: %s', (_, values, from) => {
    expect(findRestart(history(values))).toMatchObject({ since: { startMonth: START + from }, isFresh: true });
  });

  it.each([
    ['after three months', [...zeros(24), ...sales(3)]],
    ['after a shorter silence', [...sales(10), ...zeros(11), 40]],
    ['of rare orders', [...RARE, ...zeros(12), 40]],
    ['without any demand', zeros(40)],
    ['of monthly demand', sales(40)],
  ])('is not found %s', (_, values) => {
    expect(findRestart(history(values))?.isFresh).not.toBe(true);
  });
});
