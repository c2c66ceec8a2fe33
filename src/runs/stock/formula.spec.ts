import { describe, expect, it } from '@jest/globals';
import { QUANTILE_LEVELS, type DemandPattern } from '../../forecasting/index.js';
import type { ForecastDetail } from '../../forecasts/index.js';
import { demandForecast, poolErrors } from '../../inventory/index.js';
import { adviseSafetyStock, targetOf } from '../../safety-stock/index.js';
import { Totals, TOTALS_BY_CATEGORY } from '../results/totals/totals.js';
import { STOCK_FORMULA } from './formula.js';

/** A stored forecast: months with the same mean, with quantiles and backtest errors proportional to it. */
function detailOf(
  pattern: DemandPattern,
  mean: number,
  errors: readonly number[],
  { whole = false, rare = false } = {},
): ForecastDetail {
  const shape = {
    mean: Float64Array.of(mean, mean, mean),
    quantiles: Float64Array.from(
      [1, 2, 3].flatMap(() => QUANTILE_LEVELS.map((level) => (rare && level < 0.8 ? 0 : 2 * level * mean))),
    ),
  };
  const backtest = errors.map((error) => ({
    ...shape,
    firstMonth: 24_297,
    maseScale: 1,
    rmsseScale: 1,
    naive: shape.mean,
    actual: Float64Array.from([1, 2, 3], (month) => Math.max(0, mean * (1 + month * error))),
  }));
  const id = `${pattern} ${mean}`;
  return {
    forecast: { kind: 'forecast', id, firstMonth: 24_300, model: 'x', pattern, ...shape, backtest },
    history: {
      id,
      startMonth: 24_200,
      values: Float64Array.from([1, 2, 3, 0, 5], (value) =>
        whole || value === 0 ? value : value + (rare ? 0.37 : 0.25),
      ),
    },
  };
}

describe('the formulas of stored safety stock and totals', () => {
  it('keep these figures unless their version changes', async () => {
    const details = [
      detailOf('smooth', 100, []),
      detailOf('smooth', 100, [0.1, -0.05, 0.2]),
      detailOf('erratic', 40, [0.4, -0.3], { whole: true }),
      detailOf('intermittent', 0.4, [1, -0.5], { whole: true }),
      detailOf('lumpy', 2, [2, -1, 0.5]),
      detailOf('lumpy', 2, [2, -1, 0.5], { rare: true }),
      detailOf('smooth', 0, []),
      detailOf('short', 100, []),
      detailOf('new', 0.4, [], { whole: true }),
    ];
    const pool = poolErrors(
      details.map(({ forecast, history }) => demandForecast(forecast, QUANTILE_LEVELS, history.values)),
      3,
    );
    const byDay = {
      ...detailOf('lumpy', 2, [2, -1, 0.5], { rare: true }),
      orderSizes: { mean: 3, meanSquare: 14, meanCube: 80 },
    };
    const figures = [...details, byDay].map((detail) => {
      const { safety_stock, lead_time_demand_sigma, method, warnings } = adviseSafetyStock(detail, pool, targetOf({}));
      return [safety_stock, lead_time_demand_sigma, method, ...warnings].join(' ');
    });
    const totals = new Totals(TOTALS_BY_CATEGORY);
    for (const detail of details) totals.add(detail, undefined);
    const [first] = await totals.list(false);
    expect({ formula: STOCK_FORMULA, total: `${first!.q10} ${first!.q50} ${first!.q90}`, figures }).toEqual({
      formula: 16,
      total: '204.4383 331.3529 502.5182',
      figures: [
        '127.9656 66.35393 gamma No backtest error of this series covers the lead time; the spread is based on its forecast quantiles.',
        '111.6076 58.57207 gamma',
        '52.97017 27.3848 gamma',
        '1.6 0.6433492 negative_binomial',
        '3.25 1.646563 gamma',
        '5.494134 2.724032 compound_poisson',
        '0 0 none No demand is expected over the lead time. No backtest error of this series covers the lead time.',
        '127.9656 66.35393 gamma No backtest error of this series covers the lead time; the spread is based on its forecast quantiles.',
        '0.6 0.2654157 gamma No backtest error of this series covers the lead time; the spread is based on its forecast quantiles.',
        '9.617543 2.724032 compound_poisson',
      ],
    });
  });
});
