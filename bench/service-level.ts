import {
  DEFAULT_SETTINGS,
  forecastSeries,
  poolWorkspace,
  QUANTILE_LEVELS,
  type EngineSettings,
} from '../src/forecasting/index.js';
import {
  demandForecast,
  poolErrors,
  recommendSafetyStock,
  type DemandForecast,
  type ErrorPool,
  type SafetyStock,
} from '../src/inventory/index.js';
import { countObserved } from '../src/forecasting/missing.js';
import { negativeBinomialQuantile } from '../src/numeric/negative-binomial.js';
import { splitLeadTime, sumOverLeadTime } from '../src/inventory/lead-time.js';
import { normalQuantile } from '../src/numeric/normal.js';
import type { Arguments } from './support/arguments.js';
import { BUNDLED_SETS, cutBack, readSets, type BenchmarkSet } from './support/data-sets.js';

/** Lead times in months: what is asked for, and what they come to, each equally often. */
interface LeadTimes {
  readonly name: string;
  readonly mean: number;
  readonly sd: number;
  readonly months: readonly number[];
}

/** How many stand for one that varies. */
const LIKELY = 16;
const LEAD_TIMES: readonly LeadTimes[] = [
  { name: 'lead time 1', mean: 1, sd: 0, months: [1] },
  { name: 'lead time 3', mean: 3, sd: 0, months: [3] },
  { name: 'lead time 2 ± 0.7', mean: 2, sd: 0.7, months: lognormalMonths(2, 0.7) },
];
const SERVICE_LEVELS = [0.9, 0.95, 0.99];
/** Points that the attained service may lie off the level asked for. */
const TOLERANCE = { regular: [2, 2, 1], intermittent: [3, 3, 3] };

interface Item {
  readonly forecast: DemandForecast;
  readonly actual: Float64Array;
}

/** Attained service in percent of cycles, and the bar. */
type Row = Record<string, number | string>;

/** Months into the held-out part at which replenishment cycles begin; the history of each ends there. */
const CYCLE_STARTS = [0, 3, 6, 9];

/** See {@link run}. */
export const OPTIONS = { values: ['sets', 'windows', 'cut'] };

/**
 * Attained cycle service: the share of cycles whose demand over the lead time stayed within the reorder point, for three service
 * levels, over cycles of every series that begin 0, 3, 6 and 9 months into the held-out part (months before are history by
 * then; one start alone would measure what a single month did to all series). Cycles of which a month is not known do not count. Forecasts, backtest and pools are those of a run
 * with default settings. Options:
 * `--sets m3,hospital`, `--windows 2` (backtest windows), `--cut 1` (one horizon earlier, where constants may be chosen).
 */
export function run(options: Arguments): Promise<object> {
  const settings = {
    ...DEFAULT_SETTINGS,
    backtestWindows: options.count('windows') ?? DEFAULT_SETTINGS.backtestWindows,
  };
  const report: Record<string, Row> = {};
  for (const read of readSets(options.list('sets') ?? BUNDLED_SETS)) {
    const set = cutBack(read, options.count('cut') ?? 0);
    const origins = CYCLE_STARTS.map((months) => planOrigin(advance(set, months), settings));
    for (const leadTime of LEAD_TIMES) {
      report[`${set.name}, ${leadTime.name}`] = rowOf(origins, leadTime);
      report[`${set.name}, ${leadTime.name}, first cycle`] = rowOf(origins.slice(0, 1), leadTime);
    }
  }
  return Promise.resolve(report);
}

/** Equally likely lead times of another distribution than the gamma one that stock is computed with. */
function lognormalMonths(mean: number, sd: number): number[] {
  const variance = Math.log(1 + (sd / mean) ** 2);
  const level = (i: number): number => (i + 0.5) / LIKELY;
  return Array.from(
    { length: LIKELY },
    (_, i) => mean * Math.exp(Math.sqrt(variance) * normalQuantile(level(i)) - variance / 2),
  );
}

/** Everything that a planner has at one point in time. */
interface Origin {
  readonly items: readonly Item[];
  readonly pool: ErrorPool;
}

function planOrigin(set: BenchmarkSet, settings: EngineSettings): Origin {
  const items = forecastSet(set, settings);
  const pool = poolErrors(
    items.map((item) => item.forecast),
    settings.horizon,
  );
  return { items, pool };
}

/** The set some months later: these have become history. */
function advance(set: BenchmarkSet, months: number): BenchmarkSet {
  const series = set.series.map(({ history, actual }) => ({
    history: { ...history, values: Float64Array.from([...history.values, ...actual.slice(0, months)]) },
    actual: actual.slice(months),
  }));
  return { ...set, series };
}

function rowOf(origins: readonly Origin[], leadTime: LeadTimes): Row {
  const longest = Math.ceil(Math.max(...leadTime.months));
  const known = origins.map(({ items, pool }) => ({ items: items.filter((item) => isKnown(item, longest)), pool }));
  const items = known.flatMap((origin) => origin.items);
  const sparse = items.filter(({ forecast }) => ['intermittent', 'lumpy'].includes(forecast.demandPattern));
  const tolerance = 2 * sparse.length > items.length ? TOLERANCE.intermittent : TOLERANCE.regular;
  const row: Row = { cycles: items.length };
  let met = true;
  SERVICE_LEVELS.forEach((serviceLevel, i) => {
    const counts = known.map((origin) => countCycles(origin, leadTime, serviceLevel));
    const attained = (100 * counts.reduce((sum, count) => sum + count.covered, 0)) / items.length;
    const promised = (100 * counts.reduce((sum, count) => sum + count.promised, 0)) / items.length;
    row[`at ${serviceLevel}`] = Number(attained.toFixed(2));
    row[`promised ${serviceLevel}`] = Number(promised.toFixed(2));
    if (counts.some((count) => count.split > 0)) {
      const split = counts.reduce((sum, count) => sum + count.split, 0);
      row[`split ${serviceLevel}`] = Number(((100 * split) / items.length).toFixed(2));
    }
    if (!(Math.abs(attained - 100 * serviceLevel) <= tolerance[i]!)) met = false;
  });
  row['bar'] = met ? 'met' : 'missed';
  return row;
}

function isKnown({ actual }: Item, months: number): boolean {
  return countObserved(actual.subarray(0, months)) === months;
}

/**
 * Cycles without a stockout, and how many the fitted distributions promise: more than asked for where pieces cannot be split.
 * `split` are the cycles without one if they could be, see {@link splitCoverage}.
 */
function countCycles(
  { items, pool }: Origin,
  { mean, sd, months }: LeadTimes,
  serviceLevel: number,
): { covered: number; promised: number; split: number } {
  let covered = 0;
  let promised = 0;
  let split = 0;
  for (const { forecast, actual } of items) {
    const stock = recommendSafetyStock({ forecast, leadTime: mean, leadTimeSd: sd, serviceLevel, pool });
    promised += stock.expectedServiceLevel;
    for (const length of months) {
      const demand = sumOverLeadTime(actual, splitLeadTime(length, actual.length));
      const isCovered = demand <= stock.reorderPoint * (1 + 1e-12);
      covered += Number(isCovered) / months.length;
      split += (splitCoverage(stock, demand) ?? Number(isCovered)) / months.length;
    }
  }
  return { covered, promised, split };
}

/**
 * Coverage of a reorder point that promises its level to the point, by the randomised decision that a count needs for it: the
 * smallest number of pieces that reaches the level, or one piece less, so often that the level results. Of regular demand the
 * distribution is taken without its tail factor. Undefined where demand is no count.
 */
function splitCoverage(stock: SafetyStock, demand: number): number | undefined {
  if (stock.method !== 'negative_binomial') return undefined;
  const { count, reached, below } = negativeBinomialQuantile(
    stock.leadTimeDemand,
    stock.leadTimeDemandSigma ** 2 / stock.leadTimeDemand,
    stock.serviceLevel,
  );
  if (reached <= below) return undefined;
  if (demand < count) return 1;
  return demand === count ? (stock.serviceLevel - below) / (reached - below) : 0;
}

function forecastSet(set: BenchmarkSet, settings: EngineSettings): Item[] {
  const pooled = poolWorkspace(
    set.series.map((one) => one.history),
    settings,
  );
  return set.series.flatMap(({ history, actual }) => {
    const result = forecastSeries(history, pooled, settings);
    return result.kind === 'forecast'
      ? [{ forecast: demandForecast(result, QUANTILE_LEVELS, history.values), actual }]
      : [];
  });
}
