import { describe, expect, it } from '@jest/globals';
import { demandForecast } from './demand-forecast.js';
import { orderSizesOf } from './order-sizes.js';
import { recommendSafetyStock } from './safety-stock.js';

const LEVELS = [0.1, 0.5, 0.9];
/** An order of `size` in every fourth month of three years. */
const ordersOf = (...sizes: number[]) =>
  Float64Array.from({ length: 36 }, (_, t) => (t % 4 === 3 ? sizes[((t - 3) / 4) % sizes.length]! : 0));
/** Six months that expect an order of `size` with a probability of a quarter, and a backtest of them with two orders. */
const expecting = (size: number, pattern = 'intermittent') => {
  const mean = new Float64Array(6).fill(size / 4);
  const quantiles = Float64Array.from({ length: 18 }, (_, i) => (i % 3 === 2 ? size : 0));
  const actual = Float64Array.of(0, size, 0, 0, size, 0);
  return { mean, quantiles, pattern, backtest: [{ actual, mean, quantiles }] };
};

describe('demandForecast', () => {
  it('gives demand of packs the safety stock of as many pieces, in packs', () => {
    const stockOf = (size: number, ...sizes: number[]) =>
      recommendSafetyStock({
        forecast: demandForecast(expecting(size), LEVELS, ordersOf(...sizes)),
        leadTime: 3,
        serviceLevel: 0.95,
      });
    const pieces = stockOf(1, 1);
    for (const pack of [12, 0.5]) {
      const packs = stockOf(pack, pack);
      expect(packs.reorderPoint).toBeCloseTo(pack * pieces.reorderPoint, 9);
      expect(packs.leadTimeDemandSigma).toBeCloseTo(pack * pieces.leadTimeDemandSigma, 9);
    }
    expect(pieces.assumptions.join(' ')).toContain(
      'Demand comes in whole pieces (negative binomial): 3 pieces cover 97.7 %',
    );
    expect(stockOf(12, 12, 24).assumptions.join(' ')).toContain(
      'Demand comes in packs of 12 (negative binomial): 36, or 3 packs, cover 97.7 %',
    );
    expect(stockOf(0.0625, 0.0625).assumptions.join(' ')).toContain(
      'Demand comes in packs of 0.0625 (negative binomial): 0.1875, or 3 packs, cover 97.7 %',
    );
  });

  it('tells the undershoot in what the demand is counted in', () => {
    const sizes = orderSizesOf([12, 12, 24])!;
    const packs = demandForecast(expecting(12), LEVELS, ordersOf(12, 12, 24), sizes);
    // in packs of 1, 1 and 2: (6/4 - 1)/2
    expect(packs).toMatchObject({ unit: 12, undershoot: { mean: 0.25 } });
    const stock = recommendSafetyStock({ forecast: packs, leadTime: 3, serviceLevel: 0.95 });
    expect(stock.undershoot).toBeCloseTo(3, 12);
    const orders = demandForecast(expecting(20), LEVELS, ordersOf(13, 20, 27), orderSizesOf([13, 20, 27])!);
    expect(orders).toMatchObject({ unit: 20, piece: 1 });
    expect(orders.undershoot!.mean).toBeCloseTo(((169 + 400 + 729) / 60 - 1) / 2 / 20, 12);
    expect(demandForecast(expecting(12), LEVELS, ordersOf(12)).undershoot).toBeUndefined();
  });

  it.each([
    [8, 2],
    [4, 6],
    [3, 12],
    [5, 0.5],
    [3, 0.25],
    [4, 0.006],
  ])('takes %d orders of %d for packs, since they would not agree on them by chance', (orders, pack) => {
    const history = ordersOf(pack).fill(0, 0, 36 - 4 * orders);
    expect(demandForecast(expecting(pack), LEVELS, history)).toMatchObject({ unit: pack, wholeUnits: true });
  });

  it.each(['short', 'new'])(
    'counts %s demand in packs where the forecast says that it may be none in a month',
    (pattern) => {
      const rare = expecting(12, pattern);
      const history = ordersOf(12).subarray(20);
      expect(demandForecast(rare, LEVELS, history)).toMatchObject({ unit: 12, wholeUnits: true });
      const frequent = { ...rare, quantiles: rare.quantiles.map((quantile) => quantile + 1) };
      expect(demandForecast(frequent, LEVELS, history)).toMatchObject({ unit: 1, wholeUnits: true });
    },
  );

  it('takes orders for packs though one of them is odd, as where a piece was returned', () => {
    const history = ordersOf(12, 12, 24, 12, 12, 11, 12, 12, 12);
    expect(demandForecast(expecting(12), LEVELS, history)).toMatchObject({ unit: 12, wholeUnits: true });
  });

  it.each<[string, readonly number[], number]>([
    ['six orders of six, one of them odd: too few to tell', [6, 6, 6, 6, 6, 5], 1],
    ['seven, one of them odd', [6, 6, 6, 6, 6, 6, 5], 6],
    ['sixteen, two of them odd', [...new Array<number>(14).fill(6), 5, 7], 6],
    ['fifteen, two of them odd: more than an eighth', [...new Array<number>(13).fill(6), 5, 7], 1],
  ])('takes for packs, or not: %s', (_, sizes, piece) => {
    const history = Float64Array.from(sizes.flatMap((size) => [0, 0, size]));
    const { unit, piece: counted = unit } = demandForecast(expecting(6), LEVELS, history);
    expect(counted).toBe(piece);
  });

  it.each<[string, Float64Array]>([
    ['nine orders of two but for one', ordersOf(2, 2, 2, 2, 2, 2, 2, 2, 3)],
    ['seven orders of two', ordersOf(2).fill(0, 0, 8)],
    ['orders of six to eight, and every fourth of one', ordersOf(6, 7, 8, 1)],
    ['orders of a mean of ten, of which a third are of one', ordersOf(19, 10, 1)],
    ['three orders of three', ordersOf(3).fill(0, 0, 24)],
    ['nothing', new Float64Array(36)],
  ])('counts %s in pieces', (_, history) => {
    const forecast = demandForecast(expecting(6), LEVELS, history);
    expect(forecast).toMatchObject({ unit: 1, wholeUnits: true });
    expect(forecast.piece).toBeUndefined();
    expect(Array.from(forecast.mean)).toEqual(new Array(6).fill(1.5));
  });

  it.each<[string, Float64Array, number | undefined]>([
    ['some 16 pieces', ordersOf(16, 17), 1],
    ['some 16 pieces, and every third of one', ordersOf(16, 17, 1), 1],
    ['six and seven pieces', ordersOf(6, 7), 1],
    ['six to nine pieces, and one of six of one', ordersOf(6, 7, 8, 7, 9, 1).fill(0, 0, 12), 1],
    ['six, too few for packs', ordersOf(6).fill(0, 0, 24), 1],
    ['several packs of six', ordersOf(24, 30, 18), 6],
    ['a dozen, of which a third is odd', ordersOf(12, 12, 11), 1],
    ['16 pieces, too few for packs', ordersOf(16).fill(0, 0, 28), 1],
    ['500 pieces, too few for packs', ordersOf(500).fill(0, 0, 28), 1],
    ['many packs of six', ordersOf(66, 72, 78), 6],
    ['four halves', ordersOf(0.5).fill(0, 0, 20), undefined],
    ['tenths, as something is measured', ordersOf(0.8, 0.7, 1.1), undefined],
    ['amounts of which a step is fine', ordersOf(2.02, 1.98), undefined],
  ])('counts orders of %s', (_, history, piece) => {
    const sizes = history.filter((value) => value > 0);
    const unit = sizes.reduce((sum, value) => sum + value, 0) / sizes.length;
    const forecast = demandForecast(expecting(6), LEVELS, history);
    expect(forecast.wholeUnits).toBe(false);
    expect(forecast.unit).toBeCloseTo(unit, 12);
    expect(forecast.piece).toBe(piece);
    expect(forecast.mean[0]).toBeCloseTo(1.5 / unit, 12);
  });

  it('counts pieces of decimals, of which many orders are of one, as whole pieces: their step is rounded', () => {
    const sizes = [7, 9, 1, 3, 3, 10, 1, 1, 12, 1, 1, 9];
    const historyOf = (piece: number): Float64Array =>
      Float64Array.from(sizes.flatMap((pieces) => [0, 0, Number((piece * pieces).toFixed(1))]));
    for (const piece of [1, 0.6]) {
      const { unit, wholeUnits } = demandForecast(expecting(6), LEVELS, historyOf(piece));
      expect(wholeUnits).toBe(true);
      expect(unit).toBeCloseTo(piece, 12);
    }
  });

  it('counts no orders where there was none, but for returns', () => {
    const forecast = demandForecast(expecting(6), LEVELS, new Float64Array(36).fill(-1.5, 3, 4));
    expect(forecast).toMatchObject({ unit: 1, wholeUnits: false });
  });

  it('counts no orders of frequent demand', () => {
    const history = ordersOf(6).map((value) => value + 6);
    expect(demandForecast(expecting(6, 'smooth'), LEVELS, history)).toMatchObject({ unit: 1, wholeUnits: true });
    const measured = history.map((value) => value + 0.5);
    expect(demandForecast(expecting(6, 'smooth'), LEVELS, measured)).toMatchObject({ unit: 1, wholeUnits: false });
  });
});
