import {
  DEFAULT_SETTINGS,
  type DemandHistory,
  forecastSeries,
  monthNumber,
  poolWorkspace,
  QUANTILE_LEVELS,
} from '../src/forecasting/index.js';
import {
  type DemandForecast,
  demandForecast,
  orderSizesOf,
  poolErrors,
  recommendSafetyStock,
} from '../src/inventory/index.js';
import { createRandom } from '../src/numeric/random.js';
import { sumOf } from '../src/numeric/sum.js';
import type { Arguments } from './support/arguments.js';
import { type Draws, drawsFrom } from './support/draws.js';

/** Simulated items of one kind. */
interface Family {
  readonly name: string;
  /** Range of the mean number of customer orders in a day. */
  readonly perDay: readonly [number, number];
  /** Draws the size of one. */
  readonly size: (draws: Draws) => number;
  /** What is replenished comes in multiples of this. */
  readonly pack: number;
}

/** Days in a month: the same in all, since their length is not what is measured. */
const MONTH = 30;
/** Months of history, and months after it in which stock is kept by its forecast. */
const HISTORY = 36;
const FUTURE = 120;
const HORIZON = 12;
const ITEMS = 60;
const SERVICE_LEVELS = [0.9, 0.95, 0.99];
const LEAD_TIMES = [1, 3];
/** Quantity that is replenished at a time, in months of mean demand. */
const QUANTITY = 2;

/** Once in two to four months, and in two thirds of a month to two. */
const RARE = [1 / 120, 1 / 60] as const;
const SOME = [1 / 60, 1 / 20] as const;

const FAMILIES: readonly Family[] = [
  { name: 'rare orders of 5 pieces', perDay: RARE, size: scattered(5, 0), pack: 1 },
  { name: 'rare orders of 20 pieces', perDay: RARE, size: scattered(20, 0), pack: 1 },
  { name: 'rare orders of 60 pieces', perDay: RARE, size: scattered(60, 0), pack: 1 },
  { name: 'orders of 20 pieces', perDay: SOME, size: scattered(20, 0), pack: 1 },
  { name: 'orders of 8 kg', perDay: SOME, size: scattered(8, 1), pack: 0.1 },
  { name: 'rare packs of 12', perDay: RARE, size: (draws) => (draws.uniform() < 0.6 ? 12 : 24), pack: 12 },
  {
    name: 'single pieces, one order in 30 of 20',
    perDay: [0.2, 0.5],
    size: (draws) => (draws.uniform() < 1 / 30 ? 20 : 1),
    pack: 1,
  },
  { name: 'single pieces', perDay: [0.3, 3], size: () => 1, pack: 1 },
  { name: 'orders of 5 pieces every day', perDay: [1, 5], size: scattered(5, 0), pack: 1 },
];

/** See {@link run}. */
export const OPTIONS = { values: ['seed'] };

/**
 * Attained cycle service of stock that is reviewed after each simulated day, in percent at .90, .95 and .99: the share of replenishments
 * before whose delivery stock lasts. `by month` is with the safety stock for demand of which only months are known, `by day` with the one
 * for demand known by day, which covers the undershoot. The forecast stays the one after 36 months, for ten years of the same demand.
 * Option: `--seed 2`.
 */
export function run(options: Arguments): Promise<object> {
  const report: Record<string, Record<string, string>> = {};
  for (const family of FAMILIES) {
    const items = simulate(family, options.count('seed') ?? 1);
    for (const leadTime of LEAD_TIMES) {
      report[`${family.name}, lead time ${leadTime}`] = {
        'by month': attained(items, leadTime, 'byMonth'),
        'by day': attained(items, leadTime, 'byDay'),
      };
    }
  }
  return Promise.resolve(report);
}

/** Log-normal sizes with a standard deviation of .8 of the mean, in decimals of which one is the least. */
function scattered(mean: number, decimals: number): Family['size'] {
  const variance = Math.log(1 + 0.8 ** 2);
  return (draws) => {
    const size = mean * Math.exp(Math.sqrt(variance) * draws.normal() - variance / 2);
    return Math.max(10 ** -decimals, Number(size.toFixed(decimals)));
  };
}

interface Item {
  readonly byMonth: DemandForecast;
  readonly byDay: DemandForecast;
  /** Demand by day, after the history. */
  readonly future: readonly number[];
  /** Quantity of a replenishment. */
  readonly quantity: number;
}

function simulate({ perDay, size, pack }: Family, seed: number): Item[] {
  const draws = drawsFrom(createRandom(seed));
  const simulated = Array.from({ length: ITEMS }, (_, i) => {
    const rate = draws.between(...perDay);
    const drawDay = (): number => sumOf(Array.from({ length: draws.count(rate, 1) }, () => size(draws)));
    const past = Array.from({ length: HISTORY * MONTH }, drawDay);
    const values = Float64Array.from({ length: HISTORY }, (__, month) =>
      Number(sumOf(past.slice(month * MONTH, (month + 1) * MONTH)).toFixed(6)),
    );
    const history: DemandHistory = { id: String(i), startMonth: monthNumber(2023, 1), values };
    return { history, past, future: Array.from({ length: FUTURE * MONTH }, drawDay) };
  });
  const settings = { ...DEFAULT_SETTINGS, horizon: HORIZON };
  const pooled = poolWorkspace(
    simulated.map(({ history }) => history),
    settings,
  );
  return simulated.flatMap(({ history, past, future }) => {
    const result = forecastSeries(history, pooled, settings);
    if (result.kind === 'skipped') return [];
    const packs = (QUANTITY * sumOf(future)) / FUTURE / pack;
    return {
      byMonth: demandForecast(result, QUANTILE_LEVELS, history.values),
      byDay: demandForecast(result, QUANTILE_LEVELS, history.values, orderSizesOf(past) ?? undefined),
      future,
      quantity: pack * Math.max(1, Math.round(packs)),
    };
  });
}

function attained(items: readonly Item[], leadTime: number, known: 'byMonth' | 'byDay'): string {
  const pool = poolErrors(
    items.map((item) => item[known]),
    HORIZON,
  );
  const percents = SERVICE_LEVELS.map((serviceLevel) => {
    let cycles = 0;
    let covered = 0;
    for (const item of items) {
      const { reorderPoint } = recommendSafetyStock({ forecast: item[known], leadTime, serviceLevel, pool });
      for (const isCovered of cyclesOf(item, reorderPoint, leadTime * MONTH)) {
        cycles += 1;
        covered += Number(isCovered);
      }
    }
    return ((100 * covered) / cycles).toFixed(1);
  });
  return percents.join(' ');
}

/** For each replenishment, whether the inventory position at its order covers the demand until its delivery. */
function* cyclesOf({ future, quantity }: Item, reorderPoint: number, days: number): Generator<boolean> {
  let position = reorderPoint + quantity;
  for (let day = 0; day + days < future.length; day++) {
    position -= future[day]!;
    if (position > reorderPoint) continue;
    yield sumOf(future.slice(day + 1, day + 1 + days)) <= position * (1 + 1e-12);
    while (position <= reorderPoint) position += quantity;
  }
}
