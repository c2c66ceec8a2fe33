import { describe, expect, it } from '@jest/globals';
import { chanceOfInfrequency, poolInfrequency } from './infrequency.js';
import { history, intermittentSeries, seasonalSeries } from '../testing/series.js';
import type { DemandHistory } from '../types.js';

const known = (values: Float64Array, category?: string) => history(values, category === undefined ? {} : { category });
const rare = (count: number, category?: string) =>
  Array.from({ length: count }, (_, i) => known(intermittentSeries(48, i + 1), category));
const regular = (count: number, category?: string) =>
  Array.from({ length: count }, (_, i) => known(seasonalSeries(48, i + 1), category));
const chance = (values: readonly number[], series: readonly DemandHistory[], category?: string) =>
  chanceOfInfrequency(history(values, category === undefined ? {} : { category }), poolInfrequency(series));

describe('the chance that young demand is infrequent', () => {
  it('is that of the workspace when there is no other month since the first with demand', () => {
    expect(chance([20], [...rare(30), ...regular(10)])).toBeCloseTo(30.5 / 41, 12);
    expect(chance([0, 0, 20, NaN], [...rare(30), ...regular(10)])).toBeCloseTo(30.5 / 41, 12);
  });

  it('is one half when no series has half a year of demand', () => {
    expect(chance([20], [])).toBe(0.5);
    expect(chance([20], [known(seasonalSeries(5)), known(seasonalSeries(3))])).toBe(0.5);
    expect(chance([20], [known(seasonalSeries(6))])).toBe(0.25);
  });

  it('does not count months before a launch or after the end of sales as rare demand', () => {
    const zeros = new Float64Array(30);
    const launched = regular(20).map((one) => known(Float64Array.of(...zeros, ...one.values.slice(0, 8))));
    const ended = regular(20).map((one) => known(Float64Array.of(...one.values, ...zeros)));
    expect(chance([20], [...launched, ...ended])).toBeCloseTo(0.5 / 41, 12);
  });

  it('falls with each month with demand and rises with each without', () => {
    const mixed = [...rare(20), ...regular(20)];
    const chances = [[20], [20, 30], [20, 30, 10]].map((values) => chance(values, mixed));
    expect(chances).toEqual([...chances].sort((a, b) => b - a));
    expect(chances[2]).toBeLessThan(0.15);
    expect(chance([20, 0], mixed)).toBeGreaterThan(0.9);
  });

  it('keeps doubting three months of demand among spare parts, and tolerates an empty one among regular goods', () => {
    expect(chance([10, 20, 50], rare(400))).toBeGreaterThan(0.9);
    expect(chance([10, 0, 50], regular(400))).toBeLessThan(0.1);
  });

  it('is that of the category when it has series of its own', () => {
    const workspace = [...rare(40, 'parts'), ...regular(40, 'machines')];
    expect(chance([20], workspace, 'parts')).toBeCloseTo((40 + 2.5) / 45, 12);
    expect(chance([20], workspace, 'machines')).toBeCloseTo(2.5 / 45, 12);
    expect(chance([20], workspace, 'constructor')).toBe(0.5);
    expect(chance([20], rare(40, '__proto__'), '__proto__')).toBe(chance([20], rare(40, 'parts'), 'parts'));
  });
});

describe('the chance that demand starting after a year of none is infrequent', () => {
  const zeros = new Float64Array(24);
  const launched = (series: readonly DemandHistory[], months: number) =>
    series.map((one) => known(Float64Array.of(...zeros, ...one.values.slice(0, months))));
  const sinceStart = (values: readonly number[], series: readonly DemandHistory[]) => {
    const prior = poolInfrequency(series);
    return chanceOfInfrequency(history(values), prior, prior.started);
  };

  it('is learned from others that started after such a year', () => {
    const workspace = [...regular(30), ...launched(regular(30), 12)];
    expect(sinceStart([20], workspace)).toBeLessThan(0.02);
    expect(sinceStart([20], [...regular(30), ...launched(rare(30), 24)])).toBeGreaterThan(0.85);
  });

  it('is that of the workspace when no other started so at least half a year ago', () => {
    const workspace = [...regular(30), ...launched(regular(30), 4)];
    expect(sinceStart([20], workspace)).toBeCloseTo(chance([20], workspace), 12);
  });

  it('falls with a second month of demand', () => {
    const workspace = [...rare(20), ...regular(20)];
    expect(sinceStart([20, 30], workspace)).toBeLessThan(0.6 * sinceStart([20], workspace));
  });
});
