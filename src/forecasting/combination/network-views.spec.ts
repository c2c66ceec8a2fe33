import { describe, expect, it } from '@jest/globals';
import type { CalendarAdjustment } from '../calendar-regression/adjustment.js';
import { networkForecasts } from '../network/forecast.js';
import { LEVELS, MEDIAN, type QuantileForecast } from '../types.js';
import { networkAdjustedView, networkViews } from './network-views.js';

const HORIZON = 12;
/** A spike each December; months 0 .. 71, so that the first forecast month is a January. */
const spiky = Float64Array.from({ length: 72 }, (_, t) => 100 + (t % 12 === 11 ? 80 : 0) + (t % 5));

const unchanged = (adjusted: Float64Array): Pick<CalendarAdjustment, 'adjusted' | 'restore'> => ({
  adjusted,
  restore: (forecast) => forecast,
});
const medians = ({ quantiles }: QuantileForecast): number[] =>
  Array.from({ length: quantiles.length / LEVELS }, (_, k) => quantiles[k * LEVELS + MEDIAN]!);
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

describe('network views', () => {
  it('align views from earlier months: a yearly spike stays in its month', () => {
    const months = medians(networkAdjustedView(unchanged(spiky), HORIZON));
    expect(months).toHaveLength(HORIZON);
    expect(months[11]! - 100).toBeGreaterThan(60);
    months.slice(0, 11).forEach((month) => expect(month - 100).toBeLessThan(20));
  });

  it('make the adjusted view less sensitive to one odd last month than the network alone', () => {
    const odd = spiky.slice();
    odd[71] = 2 * odd[71]!;
    const last = (values: Float64Array): Float64Array => values.subarray(12);
    const alone = networkForecasts([last(odd), last(spiky)], HORIZON).map((forecast) => sum(medians(forecast)));
    const averaged = [odd, spiky].map((values) => sum(medians(networkAdjustedView(unchanged(values), HORIZON))));
    expect(Math.abs(averaged[0]! - averaged[1]!)).toBeLessThan(0.7 * Math.abs(alone[0]! - alone[1]!));
  });

  it.each([1e-12, 1, 1e12])('give the same forecast at a scale of %p', (scale) => {
    for (const view of [
      (values: Float64Array) => networkViews(values, values, HORIZON),
      (values: Float64Array) => networkAdjustedView(unchanged(values), HORIZON),
    ]) {
      const scaled = medians(view(spiky.map((value) => value * scale)));
      medians(view(spiky)).forEach((month, k) => expect(scaled[k]! / scale / month).toBeCloseTo(1, 3));
    }
  });

  it.each([3, 12, 30])('forecast a history that breaks off %p months earlier at its level', (silent) => {
    const broken = Float64Array.from([
      ...spiky.map((_, t) => 100 + ((t * 7) % 5)),
      ...new Array<number>(silent).fill(NaN),
    ]);
    for (const view of [networkViews(broken, broken, HORIZON), networkAdjustedView(unchanged(broken), HORIZON)]) {
      medians(view).forEach((month) => expect(Math.abs(month - 102)).toBeLessThan(10));
    }
  });

  it('forecast further than the horizon of the network', () => {
    const { mean, quantiles } = networkAdjustedView(unchanged(spiky), 36);
    expect([mean.length, quantiles.length]).toEqual([36, 36 * LEVELS]);
    expect(quantiles.every((value) => Number.isFinite(value) && value >= 0)).toBe(true);
  });

  it('average the network forecasts from the last 60, 36 and 24 months, as far as available', () => {
    const shifted = Float64Array.from({ length: 72 }, (_, t) => (t < 40 ? 100 : 160) + (t % 7));
    const said = (values: Float64Array, ...months: number[]) => {
      const forecasts = networkForecasts(
        months.map((count) => values.slice(-count)),
        HORIZON,
      );
      return Array.from({ length: HORIZON }, (_, k) => sum(forecasts.map(({ mean }) => mean[k]!)) / months.length);
    };
    networkViews(shifted, shifted, HORIZON).mean.forEach((mean, k) =>
      expect(mean / said(shifted, 60, 36, 24)[k]!).toBeCloseTo(1, 9),
    );
    const short = shifted.slice(0, 30);
    networkViews(short, short, HORIZON).mean.forEach((mean, k) =>
      expect(mean / said(short, 30, 24)[k]!).toBeCloseTo(1, 9),
    );
  });
});
