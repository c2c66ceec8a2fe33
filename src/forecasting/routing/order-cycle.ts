import { averagedEts } from '../methods/ets/averaged-ets.js';
import { constantForecast, emptyForecast, runForecaster } from '../methods/forecaster.js';
import { countObserved, meanObserved } from '../missing.js';
import { writeNormalQuantiles } from '../quantiles/normal-quantiles.js';
import { LEVELS, type QuantileForecast } from '../types.js';
import { ENOUGH_EVIDENCE, repetition, withoutStrays } from './repetition.js';
import { endOfSilence } from './restart.js';

/** Most months from one order to the next that are looked for. Longer cycles leave too few orders to forecast their size from. */
const MAX_CYCLE = 6;
/** Cycles at the end of a history in which orders must still repeat. */
const LATELY = 2;
/**
 * Cycles at the end of a history that decide which months of the cycle sell: earlier ones may be of another rhythm, or before a launch.
 * After a pause of as many cycles, order sizes are estimated from the orders since.
 */
const LATEST_CYCLES = 4;
/** Share of these cycles in which a month of the cycle has demand, from which it is one of those that sell. */
const USUALLY = 0.5;

/** Orders that come every so many months. */
export interface OrderCycle {
  /** Months from one order to the next. */
  readonly months: number;
  /** Whether the months i, i + `months`, ... of the history are ones in which it sells. */
  readonly sells: readonly boolean[];
}

/**
 * The cycle of an item that is ordered every second to every sixth month, for histories too short to know it as a selling season,
 * and for every fifth month; undefined where orders keep to none, or no longer do. A month later than usual for good is a new
 * cycle, which shows after two more orders.
 */
export function orderCycle(demand: Float64Array): OrderCycle | undefined {
  const values = withoutStrays(demand);
  const sinceFirst = values.subarray(values.findIndex((value) => value > 0));
  const evidence = Array.from(
    { length: MAX_CYCLE },
    (_, i) => repetition(sinceFirst, i + 1, LATELY * (i + 1)).evidence,
  );
  const months = evidence.indexOf(Math.max(...evidence)) + 1;
  // Demand that repeats best from one month to the next comes in spells, not in a cycle.
  if (months === 1 || evidence[months - 1]! < ENOUGH_EVIDENCE) return undefined;
  const sells = Array.from({ length: months }, (_, i) => {
    const latest = everyMonths(values, months, i).slice(-LATEST_CYCLES);
    const sold = latest.filter((value) => value > 0).length;
    return sold > 0 && sold >= USUALLY * countObserved(latest);
  });
  return { months, sells };
}

/** Forecast of orders in their cycle: their sizes are smoothed as a series of their own, and no demand is between them. */
export function forecastCycle(
  values: Float64Array,
  cycle: OrderCycle,
  horizon: number,
  seed: number,
): QuantileForecast {
  const { months, sells } = cycle;
  const forecast = emptyForecast(horizon);
  for (let i = 0; i < months; i++) {
    if (!sells[i]) continue;
    const orders = everyMonths(values, months, i);
    const next = i + orders.length * months - values.length;
    const count = Math.ceil(horizon / months);
    const known = orders.subarray(restartOf(orders));
    const sizes =
      countObserved(known) < averagedEts.minObservations
        ? fewOrders(known, scatterOf(values, cycle), count)
        : runForecaster(averagedEts, known, count, seed)!;
    for (let n = 0, k = next; k < horizon; n++, k += months) {
      forecast.mean[k] = sizes.mean[n]!;
      forecast.quantiles.set(sizes.quantiles.subarray(n * LEVELS, (n + 1) * LEVELS), k * LEVELS);
    }
  }
  return forecast;
}

/** Forecast of orders too few to be smoothed: their mean, and the `scatter` that orders have around theirs. */
function fewOrders(orders: Float64Array, scatter: number, count: number): QuantileForecast {
  const mean = meanObserved(orders);
  const forecast = constantForecast(mean, count);
  const deviation = mean * scatter * Math.sqrt(1 + 1 / countObserved(orders));
  for (let n = 0; n < count; n++) writeNormalQuantiles(forecast.quantiles, n, mean, deviation);
  return forecast;
}

/**
 * Standard deviation of orders in units of their mean, which is that of the same month of the cycle since its restart, or before: so
 * the few orders of all months estimate together what those of one cannot. 0 where each came once.
 */
function scatterOf(values: Float64Array, { months, sells }: OrderCycle): number {
  let [squares, freedom] = [0, 0];
  for (let i = 0; i < months; i++) {
    if (!sells[i]) continue;
    const orders = everyMonths(values, months, i);
    const restart = restartOf(orders);
    for (const group of [orders.subarray(0, restart), orders.subarray(restart)]) {
      const sizes = group.filter((order) => order > 0);
      if (sizes.length < 2) continue;
      const mean = meanObserved(sizes);
      for (const size of sizes) squares += (size / mean - 1) ** 2;
      freedom += sizes.length - 1;
    }
  }
  return freedom > 0 ? Math.sqrt(squares / freedom) : 0;
}

/** Position of the first order after the last pause, or of the first one. */
function restartOf(orders: Float64Array): number {
  return endOfSilence(orders, LATEST_CYCLES) || orders.findIndex((order) => order > 0);
}

const everyMonths = (values: Float64Array, months: number, first: number): Float64Array =>
  values.filter((_, t) => t % months === first);
