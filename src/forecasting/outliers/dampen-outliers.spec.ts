import { describe, expect, it } from '@jest/globals';
import { createRandom } from '../../numeric/random.js';
import { estimatePrior } from '../calendar-regression/prior.js';
import { monthNumber } from '../calendar.js';
import { dampenOutliers } from './dampen-outliers.js';
import { seasonalSeries } from '../testing/series.js';

const START = monthNumber(2015, 1);
const PRIOR = estimatePrior([]);
const dampened = (values: Float64Array): Float64Array => dampenOutliers(values, START, PRIOR);

describe('dampenOutliers', () => {
  /** Five years at a level of 100 with a yearly wave of 30 % and noise of 5 %. */
  const values = seasonalSeries(60);
  /** The same with about 20 % of noise. */
  const random = createRandom(5);
  const noisy = values.map((value) => value * Math.exp(0.7 * (random() - 0.5)));
  const change = (months: readonly number[], factor: number): Float64Array =>
    values.map((value, t) => (months.includes(t) ? factor * value : value));

  it.each<[string, readonly number[], number]>([
    ['after a month without supply', [44], 45],
    ['after two months without supply', [43, 44], 45],
    ['in the last month, after one without supply', [58], 59],
    ['ahead of a month', [31], 30],
  ])('moves demand that was delivered %s back to its own months', (_, empty, beside) => {
    const moved = values.slice();
    for (const t of empty) {
      moved[beside]! += moved[t]!;
      moved[t] = 0;
    }
    const result = dampened(moved);
    for (const t of [...empty, beside]) expect(Math.abs(result[t]! / values[t]! - 1)).toBeLessThan(0.3);
    expect(result.filter((_value, t) => t !== beside && !empty.includes(t))).toEqual(
      values.filter((_value, t) => t !== beside && !empty.includes(t)),
    );
  });

  it('takes no more off the month after a shortage than was missing', () => {
    const more = values.map((value, t) => (t === 44 ? 0.4 * value : t === 45 ? 1.9 * value : value));
    const remaining = dampened(more)[45]! / values[45]!;
    expect(remaining).toBeGreaterThan(1.15);
    expect(remaining).toBeLessThan(1.45);
  });

  it.each([
    ['a new level after a month without supply', (t: number) => (t === 50 ? 0 : t > 50 ? 2 : 1)],
    ['a last month 60 % above the usual after one of a fifth', (t: number) => (t === 58 ? 0.2 : t === 59 ? 1.6 : 1)],
  ])('leaves %s unchanged', (_, factor) => {
    const changed = values.map((value, t) => factor(t) * value);
    const result = dampened(changed);
    changed.forEach((value, t) => {
      if (factor(t) >= 1) expect(result[t]).toBe(value);
    });
  });

  it.each<[string, readonly number[], number, number?]>([
    ['a mistyped quantity', [30], 10],
    ['a mistyped quantity in the second month', [1], 10],
    ['a mistyped quantity in the second to last month', [58], 10],
    ['a month of half supply', [44], 0.4],
    ['a month without supply', [50], 0],
    ['two months without supply', [57, 58], 0],
    ['three months without supply', [40, 41, 42], 0],
    ['three months of a fifth of the supply', [40, 41, 42], 0.2],
    ['one month in ten without supply', [7, 16, 27, 33, 42, 50], 0],
    ['shortages in the same month of two years by chance', [7, 18, 42, 50], 0],
    ['two mistyped quantities in five years', [17, 44], 10],
    ['a mistyped quantity within twenty months', [13], 10, 20],
    ['three months without supply within two years', [9, 10, 11], 0, 24],
  ])('pulls %s to the usual value of its month, and leaves the rest unchanged', (_, months, factor, length = 60) => {
    const odd = change(months, factor).slice(0, length);
    const result = dampened(odd);
    for (const t of months) expect(Math.abs(result[t]! / values[t]! - 1)).toBeLessThan(0.25);
    expect(result.filter((_value, t) => !months.includes(t))).toEqual(odd.filter((_value, t) => !months.includes(t)));
  });

  it.each<[string, Float64Array]>([
    ['nothing odd', values],
    ['a yearly peak', values.map((value, t) => (t % 12 === 11 ? 4 * value : value))],
    ['a yearly promotion in varying months', change([5, 20, 30, 39, 53], 3)],
    ['two months of ten times the usual in two years', change([5, 14], 10).slice(0, 24)],
    [
      'a yearly event that started two years ago',
      values.map((value, t) => (t % 12 === 5 && t > 36 ? 6 * value : value)),
    ],
    ['a low month every other year', change([18, 42], 0.2)],
    ['a yearly closure', change([6, 18, 30, 42, 54], 0)],
    ['a yearly closure that started two years ago', change([42, 54], 0)],
    ['a closure in two of the last three years', change([30, 54], 0)],
    ['a closure that started last year and recurs in the last month', change([47, 59], 0)],
    ['a closure in two of the last three years, including the last month', change([35, 59], 0)],
    ['no demand in the last month', change([59], 0)],
    ['a yearly low, including the last month', change([11, 23, 35], 0.2).slice(0, 36)],
    ['a yearly low that is milder in one year', values.map((value, t) => value * ({ 18: 0.55, 42: 0.2 }[t] ?? 1))],
    ['a month of three fifths of the usual', change([44], 0.6)],
    ['a low month when demand varies', noisy.map((value, t) => (t === 30 ? 0.3 * value : value))],
    ['a month in eight without demand', change([3, 11, 19], 0).slice(0, 24)],
    ['more than one month in ten without demand', change([7, 16, 27, 33, 42, 50, 56], 0)],
    ['orders every third month for half a year', change([54, 55, 57, 58], 0)],
    ['orders every third month for fifteen months', change([45, 46, 48, 49, 51, 52, 54, 55, 57, 58], 0)],
    [
      'orders every second month for twenty months',
      change(
        Array.from({ length: 10 }, (_, k) => 41 + 2 * k),
        0,
      ),
    ],
    ['four months without demand', change([30, 31, 32, 33], 0)],
    ['an empty first occurrence of a month that no other year contradicts', change([11], 0).slice(0, 20)],
    ['one empty month in seventeen', change([3], 0).slice(0, 17)],
    ['a new level', values.map((value, t) => (t >= 40 ? 3 * value : value))],
    ['a new level for two months', change([58, 59], 3)],
    ['an odd last month', change([59], 10)],
    ['a run of four', change([30, 31, 32, 33], 5)],
    ['a first peak that no other year contradicts', change([11], 4).slice(0, 20)],
    ['a history of a year', change([6], 10).slice(0, 12)],
    ['a constant', new Float64Array(60).fill(2)],
    ['gaps', values.map((value, t) => (t % 9 === 4 ? NaN : value))],
    ['no demand', new Float64Array(60)],
    ['nothing observed', new Float64Array(60).fill(NaN)],
  ])('leaves a history with %s unchanged', (_, history) => {
    expect(dampened(history)).toBe(history);
  });

  it('pulls an odd month of a constant history to the constant', () => {
    const constant = new Float64Array(60).fill(100);
    expect(dampened(constant.map((value, t) => (t === 30 ? 0 : value)))).toEqual(constant);
  });

  it('judges other months despite a yearly closure', () => {
    const closures = [5, 6, 17, 18, 29, 30, 41, 42, 53, 54];
    const result = dampened(change([...closures, 44], 0));
    expect(Math.abs(result[44]! / values[44]! - 1)).toBeLessThan(0.25);
    for (const t of closures) expect(result[t]).toBe(0);
  });

  it('judges other months despite two closures a year', () => {
    const closures = [1, 2, 3, 4].flatMap((year) => [2, 3, 6, 7].map((month) => 12 * year + month));
    const result = dampened(change([...closures, 45], 0));
    expect(Math.abs(result[45]! / values[45]! - 1)).toBeLessThan(0.25);
    for (const t of closures) expect(result[t]).toBe(0);
  });

  it('does not mistake the orders of two months without supply, delivered in the last one, for a rise', () => {
    const result = dampened(change([57, 58], 0).map((value, t) => (t === 59 ? 3 * value : value)));
    for (const t of [57, 58]) expect(Math.abs(result[t]! / values[t]! - 1)).toBeLessThan(0.3);
    expect(Math.abs(result[59]! / values[59]! - 1)).toBeLessThan(0.4);
  });

  it('recognizes such orders when the month between is not recorded', () => {
    const result = dampened(change([56, 57], 0).map((value, t) => (t === 58 ? NaN : t === 59 ? 3 * value : value)));
    for (const t of [56, 57]) expect(Math.abs(result[t]! / values[t]! - 1)).toBeLessThan(0.3);
  });

  it('judges other months of an item that ends in a longer silence than any before', () => {
    const result = dampened(change([51, 57, 58, 59], 0).map((value, t) => (t === 30 ? 10 * value : value)));
    for (const t of [30, 51]) expect(Math.abs(result[t]! / values[t]! - 1)).toBeLessThan(0.3);
    for (const t of [57, 58, 59]) expect(result[t]).toBe(0);
  });

  it.each([
    ['missing when a silence as long has ended before', [20, 36, 37, 58, 59], NaN],
    ['no demand when no earlier silence was as long', [20, 58, 59], 0],
    ['no demand when the same month of the year before had none', [20, 36, 37, 46, 47, 58, 59], 0],
  ])('treats trailing months without demand as %s', (_, silent, last) => {
    const result = dampened(change(silent, 0));
    expect([result[58], result[59]]).toEqual([last, last]);
    expect(Math.abs(result[20]! / values[20]! - 1)).toBeLessThan(0.25);
  });

  it('treats a last month without demand as no demand when the only other odd month was a mistyped quantity', () => {
    const result = dampened(change([30], 10).map((value, t) => (t === 59 ? 0 : value)));
    expect(result[59]).toBe(0);
    expect(Math.abs(result[30]! / values[30]! - 1)).toBeLessThan(0.25);
  });

  it.each([
    ['before', [NaN, 0]],
    ['after', [0, NaN]],
  ])('does not count a missing month %s the last one without demand as silent', (_, last) => {
    const history = change([20], 0);
    history.set(last, 58);
    expect(dampened(history).subarray(58)).toEqual(Float64Array.of(NaN, NaN));
  });

  it('leaves months without demand that are within the variation of demand', () => {
    const random = createRandom(3);
    const counts = Float64Array.from({ length: 60 }, () => Math.floor(-4 * Math.log(random())));
    counts.set([0, 3], 20);
    expect(dampened(counts)).toBe(counts);
  });

  it('does not mistake odd months in opposite directions in two years for a season', () => {
    const result = dampened(change([18], 5).map((value, t) => (t === 42 ? 0.2 * value : value)));
    for (const t of [18, 42]) expect(Math.abs(result[t]! / values[t]! - 1)).toBeLessThan(0.25);
  });

  it('preserves gaps beside an odd month', () => {
    const gaps = change([30], 10).map((value, t) => (t === 29 || t === 10 ? NaN : value));
    const result = dampened(gaps);
    expect([result[10], result[29]]).toEqual([NaN, NaN]);
    expect(Math.abs(result[30]! / values[30]! - 1)).toBeLessThan(0.25);
  });
});
