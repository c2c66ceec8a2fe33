import { describe, expect, it } from '@jest/globals';
import { QUANTILE_LEVELS } from '../forecasting/index.js';
import type { ForecastDetail } from '../forecasts/index.js';
import { adviseSafetyStock } from './safety-stock.js';

/** Three months with the same expected demand, of a series sold in whole pieces. */
function piecesOf(mean: number): ForecastDetail {
  const shape = {
    mean: Float64Array.of(mean, mean, mean),
    quantiles: Float64Array.from([1, 2, 3].flatMap(() => QUANTILE_LEVELS.map((level) => 2 * level * mean))),
  };
  return {
    forecast: { kind: 'forecast', id: 'A', firstMonth: 24_300, model: 'x', pattern: 'smooth', ...shape, backtest: [] },
    history: { id: 'A', startMonth: 24_200, values: Float64Array.from([1, 2, 3, 0, 5]) },
  };
}

describe('the reported safety stock', () => {
  // forecasts have seven digits, and a quarter of one can end in another 5
  const asked = Array.from({ length: 60 }, (_, index) => Number((2.44961 + 0.1001 * index).toFixed(5))).flatMap(
    (mean) =>
      [0.25, 0.5, 1].map((leadTime) =>
        adviseSafetyStock(piecesOf(mean), undefined, { leadTime, leadTimeSd: 0, serviceLevel: 0.95 }),
      ),
  );
  const inPieces = asked.filter(({ method }) => method === 'negative_binomial');

  it('has a whole reorder point when demand comes in pieces, so that rounding up orders none too early', () => {
    expect(inPieces.length).toBeGreaterThan(100);
    for (const { reorder_point: point } of inPieces) expect(point).toBe(Math.round(point));
    const ofSixDecimals = inPieces.filter((advice) => advice.lead_time_demand >= 1 && advice.safety_stock < 10);
    expect(ofSixDecimals.length).toBeGreaterThan(50);
    for (const { safety_stock: stock, lead_time_demand: demand, reorder_point: point } of ofSixDecimals) {
      expect(demand + stock).toBeCloseTo(point, 9);
    }
  });

  it('has figures of seven digits that add up to within the last one', () => {
    for (const { safety_stock: stock, lead_time_demand: demand, reorder_point: point } of asked) {
      expect(Math.abs(demand + stock - point)).toBeLessThan(1e-6 * point);
      for (const figure of [stock, demand, point]) expect(figure).toBe(Number(figure.toPrecision(7)));
    }
  });

  it('says that the reorder point is raised to the figure it has', () => {
    for (const top of [0.0123456789, 7.34567891, 8012.345678, 12345678.9]) {
      const { forecast } = piecesOf(top / 20);
      const row = QUANTILE_LEVELS.map((level) => (level < 0.9 ? 0 : top));
      const quantiles = Float64Array.from([...row, ...row, ...row]);
      const detail: ForecastDetail = {
        forecast: { ...forecast, pattern: 'lumpy', quantiles },
        history: { id: 'A', startMonth: 24_200, values: Float64Array.of(0.5, 0, 1.5) },
      };
      const advice = adviseSafetyStock(detail, undefined, { leadTime: 1, leadTimeSd: 0, serviceLevel: 0.91 });
      const [, stated] = /raised to ([\d.,]+), /.exec(advice.assumptions.join(' ')) ?? [];
      expect(Number(stated?.replaceAll(',', ''))).toBe(advice.reorder_point);
    }
  });

  it('names the month with which the lead time begins: in a season, later orders need another reorder point', () => {
    const { assumptions } = adviseSafetyStock(piecesOf(40), undefined, {
      leadTime: 1,
      leadTimeSd: 0,
      serviceLevel: 0.95,
    });
    expect(assumptions).toContain(
      'The lead time is assumed to begin with January 2025; for an order later in that month, add the demand expected in as many days after the lead time and subtract that of the days gone by.',
    );
  });

  it('warns when an item with demand in every month has had none for two, which the forecast cannot explain', () => {
    const { forecast } = piecesOf(40);
    const warnings = (silent: number) => {
      const values = Float64Array.from({ length: 20 }, (_, t) => (t < 20 - silent ? 40 + (t % 5) : 0));
      const detail = { forecast, history: { id: 'A', startMonth: 24_280, values } };
      return adviseSafetyStock(detail, undefined, { leadTime: 1, leadTimeSd: 0, serviceLevel: 0.95 }).warnings;
    };
    const ended =
      'There has been no demand since November 2024: if the item was sold out, remove these months from the demand; if it is no longer sold, order none.';
    expect(warnings(2)).toContain(ended);
    expect(warnings(1).join(' ')).not.toContain('no demand since');
  });

  it('warns when the data of the series end more than three months before those of the run', () => {
    const warnings = (newestMonth: number) =>
      adviseSafetyStock(piecesOf(40), undefined, { leadTime: 1, leadTimeSd: 0, serviceLevel: 0.95 }, newestMonth)
        .warnings;
    expect(warnings(24_303)).toContain(
      'The last data are from December 2024, 4 months before the newest month of the run.',
    );
    expect(warnings(24_302).join(' ')).not.toContain('The last data');
  });

  it.each([
    [
      4,
      0,
      'The forecast is too short for lead times of 4 months: the figures are for 3 months. Start runs with a longer horizon.',
    ],
    [
      2.5,
      0.4,
      'The forecast is too short for lead times of 2.5 ± 0.4 months: the figures are for 2.5 ± 0.25 months. Start runs with a longer horizon.',
    ],
    [0.2, 0.25, 'Lead times of 0.2 ± 0.25 months vary by more than their mean: the figures are for 0.2 ± 0.2 months.'],
  ])('warns of lead times of %d ± %d months that it is not for', (leadTime, leadTimeSd, warning) => {
    const { warnings } = adviseSafetyStock(piecesOf(40), undefined, { leadTime, leadTimeSd, serviceLevel: 0.95 });
    expect(warnings).toContain(warning);
  });

  it('is zero when the reorder point equals the expected demand', () => {
    const { safety_stock, reorder_point, lead_time_demand } = adviseSafetyStock(piecesOf(1000.12345678), undefined, {
      leadTime: 1,
      leadTimeSd: 0,
      serviceLevel: 0.5,
    });
    expect([safety_stock, reorder_point]).toEqual([0, lead_time_demand]);
  });
});
