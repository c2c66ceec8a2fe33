import { describe, expect, it } from '@jest/globals';
import { InfrequentDemandChart } from './infrequent-demand-chart.js';

/** Orders of `size` in two months of five. */
function orders(months: number, size: number): number[] {
  return Array.from({ length: months }, (_, t) => (t % 5 === 1 || t % 5 === 4 ? size : 0));
}

function chartOf(demand: readonly number[]): InfrequentDemandChart {
  const months = demand.map((value, index) => ({ index, demand: value }));
  const chart = new InfrequentDemandChart(24_240, months.slice(0, 24));
  for (const month of months.slice(24)) chart.record(month);
  return chart;
}

const riseOf = (chart: InfrequentDemandChart): number => chart.shifts().find(({ direction }) => direction > 0)!.margin;

describe('InfrequentDemandChart', () => {
  it('recounts all months when one odd order makes the unit smaller', () => {
    const after = (odd: number) => riseOf(chartOf([...orders(48, 5), odd, 5, 5, 0, 5, 5]));
    expect(Math.abs(after(1) - after(0))).toBeLessThan(2);
  });

  it('detects less demand when orders become much smaller at the same frequency', () => {
    const chart = chartOf([...orders(48, 10), ...orders(36, 1)]);
    expect(chart.shifts().find(({ direction }) => direction < 0)!.margin).toBeGreaterThan(0);
  });

  it('knows nothing about a forgotten level', () => {
    const chart = chartOf(orders(48, 12));
    chart.forget();
    chart.record({ index: 48, demand: 1200 });
    expect(chart.shifts().map(({ margin }) => margin)).toEqual([-Infinity, -Infinity]);
  });

  it('keeps the season of a forgotten level', () => {
    const chart = chartOf(Array.from({ length: 60 }, (_, t) => (t % 12 < 4 ? 3 : 0)));
    const known = chart.factor(62);
    chart.forget();
    expect(known).toBeGreaterThan(2);
    expect(chart.factor(62)).toBeGreaterThan(0.9 * known);
  });

  it('expects equal demand in all months without a visible season', () => {
    const chart = chartOf(orders(84, 1));
    for (let index = 84; index < 96; index++) expect(Math.abs(chart.factor(index) - 1)).toBeLessThan(0.2);
  });
});
