import { describe, expect, it } from '@jest/globals';
import { LEVELS } from '../../forecasting/index.js';
import { drawForecast, type ForecastChart } from './forecast-chart.js';

/** January 2020. */
const JANUARY = 12 * 2020;

/** A chart of 100 a month for so many months, and quantiles of 60 to 140 for so many more. */
function chartOf(months: number, horizon: number, given: Partial<ForecastChart> = {}): ForecastChart {
  return {
    name: 'Mug',
    description: 'Words.',
    unit: null,
    historyStart: JANUARY,
    history: new Float64Array(months).fill(100),
    firstMonth: JANUARY + months,
    quantiles: Float64Array.from({ length: horizon * LEVELS }, (_, index) => 60 + 10 * (index % LEVELS)),
    ...given,
  };
}

/** The labels of the time axis, from left to right. */
const monthsOf = (svg: string): string[] =>
  [...svg.matchAll(/text-anchor="middle"[^>]*>([^<]*)</g)].map(([, label]) => label!);
/** The points of each element of a class. */
const pointsOf = (svg: string, className: string): number[][][] =>
  [...svg.matchAll(new RegExp(`class="${className}" points="([^"]*)"`, 'g'))].map(([, points]) =>
    points!.split(' ').map((point) => point.split(',').map(Number)),
  );

describe('the chart of a forecast', () => {
  it.each([
    [6, 6, ['2020-01', '2020-04', '2020-07', '2020-10']],
    [12, 6, ['2020-01', '2020-04', '2020-07', '2020-10', '2021-01', '2021-04']],
    [13, 12, ['2020-01', '2020-07', '2021-01', '2021-07', '2022-01']],
    [36, 13, ['2020', '2021', '2022', '2023', '2024']],
  ])('labels the months of %d months and a horizon of %d, to the last one', (months, horizon, labels) => {
    expect(monthsOf(drawForecast(chartOf(months, horizon)))).toEqual(labels);
  });

  it('draws the last three years of a longer history', () => {
    const svg = drawForecast(chartOf(50, 12));
    expect(pointsOf(svg, 'history')).toHaveLength(1);
    expect(pointsOf(svg, 'history')[0]).toHaveLength(36);
    expect(monthsOf(svg)).toEqual(['2022', '2023', '2024', '2025']);
  });

  it('opens the fan from the last month of demand, and the outermost band reaches from q10 to q90', () => {
    const svg = drawForecast(chartOf(24, 12));
    const last = pointsOf(svg, 'history')[0]!.at(-1);
    for (const band of pointsOf(svg, 'band')) expect(band[0]).toEqual(last);
    const heights = pointsOf(svg, 'band').map((band) => band.slice(1).map(([, y]) => y!));
    const [q10, q90] = [Math.max(...heights[0]!), Math.min(...heights[0]!)];
    for (const inner of heights.slice(1)) {
      expect(Math.max(...inner)).toBeLessThan(q10);
      expect(Math.min(...inner)).toBeGreaterThan(q90);
    }
    // 100 lies half way between 60 and 140
    expect(last![1]).toBeCloseTo((q10 + q90) / 2, 0);
  });

  it('draws the fan on its own where months lie between demand and forecast, or without demand', () => {
    for (const chart of [chartOf(24, 12, { firstMonth: JANUARY + 26 }), chartOf(0, 12)]) {
      const [median] = pointsOf(drawForecast(chart), 'median');
      expect(median).toHaveLength(12);
    }
    expect(pointsOf(drawForecast(chartOf(24, 12)), 'median')[0]).toHaveLength(13);
  });

  it('interrupts the line of demand at a missing month, and shows a month between two missing ones as a point', () => {
    const history = Float64Array.of(1, 2, NaN, 3, NaN, 4, 5, 6);
    const svg = drawForecast(chartOf(8, 3, { history }));
    expect(pointsOf(svg, 'history').map((piece) => piece.length)).toEqual([2, 1, 3]);
    expect(svg.match(/<circle class="point"/g)).toHaveLength(6);
  });

  it('has room for a mean above all quantiles, and its axis at zero', () => {
    const svg = drawForecast(chartOf(12, 3, { mean: Float64Array.of(500, 600, 700) }));
    for (const [, y] of pointsOf(svg, 'mean')[0]!) expect(y).toBeGreaterThanOrEqual(74);
    expect(svg).toContain('<line class="axis" x1="64" x2="776" y1="352.0" y2="352.0"/>');
  });

  it('is well-formed whatever texts say, and shortens those that are too long for a line', () => {
    const svg = drawForecast(
      chartOf(12, 3, { name: 'Mug\u0000\uffff <1>', description: 'a & b < c', unit: `kg & ${'x'.repeat(50)}` }),
    );
    expect(svg).toContain('<title id="title">Demand forecast: Mug &lt;1&gt;</title>');
    expect(svg).toContain('<desc id="desc">a &amp; b &lt; c</desc>');
    expect(svg).toContain(`Monthly demand in kg &amp; ${'x'.repeat(34)}…<`);
  });
});
