import { describe, expect, it } from '@jest/globals';
import { RareDemandChart } from './rare-demand-chart.js';

/** Orders of `size` in two months of five. */
function orders(months: number, size: number): number[] {
  return Array.from({ length: months }, (_, t) => (t % 5 === 1 || t % 5 === 4 ? size : 0));
}

function chartOf(demand: readonly number[]): RareDemandChart {
  const chart = new RareDemandChart(demand.slice(0, 24));
  for (const month of demand.slice(24)) chart.record(month);
  return chart;
}

const riseOf = (chart: RareDemandChart): number => chart.shifts().find(({ direction }) => direction > 0)!.margin;

describe('RareDemandChart', () => {
  it('counts all months anew when one odd order makes the unit smaller', () => {
    const after = (odd: number) => riseOf(chartOf([...orders(48, 5), odd, 5, 5, 0, 5, 5]));
    expect(Math.abs(after(1) - after(0))).toBeLessThan(2);
  });

  it('takes much smaller orders for less demand, though there are as many', () => {
    const chart = chartOf([...orders(48, 10), ...orders(36, 1)]);
    expect(chart.shifts().find(({ direction }) => direction < 0)!.margin).toBeGreaterThan(0);
  });

  it('knows nothing of a level that it forgot', () => {
    const chart = chartOf(orders(48, 12));
    chart.forget();
    chart.record(1200);
    expect(chart.shifts().map(({ margin }) => margin)).toEqual([-Infinity, -Infinity]);
  });
});
