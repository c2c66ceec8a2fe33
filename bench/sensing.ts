import {
  daysInMonth,
  DEFAULT_SETTINGS,
  firstWeekday,
  forecastSeries,
  MEDIAN,
  monthNumber,
  poolShareCurves,
  poolWorkspace,
  shareCurve,
  type DailyMonth,
  type MonthNumber,
  type SensingInput,
} from '../src/forecasting/index.js';
import { sumOf } from '../src/numeric/sum.js';
import { createRandom } from '../src/numeric/random.js';
import type { Arguments } from './support/arguments.js';
import { DAILY_SETS, readDailySet, type DailySet } from './support/daily-sets.js';
import { type Draws, drawsFrom } from './support/draws.js';
import { SensingScores } from './support/sensing-scores.js';

const SERIES = 4_000;
const SIMULATED_FROM = monthNumber(2024, 1);
const SIMULATED_MONTHS = 12;
const ELAPSED = [0.25, 0.5, 0.75];
/** Months of daily demand that the service learns the build-up from. */
const DAILY_MONTHS = 24;

/** Months scored of each real set, as offsets from its first; constants were chosen on the part called `tuning`. */
const SCORED = {
  cta: { tuning: [12, 36], held_out: [36, 79] },
  cdnow: { tuning: [6, 12], held_out: [12, 18] },
  bikeshare: { tuning: [6, 6], held_out: [6, 12] },
} as const;

type Prior = SensingInput['prior'];

interface SimulatedItem {
  readonly prior: Prior;
  readonly past: DailyMonth[];
  readonly current: readonly number[];
}

/**
 * One item: a monthly rate of 3 to 3,000 pieces known to 10 to 50 percent, orders of one to ten pieces (negative binomial days),
 * days of the month of unequal weight - weekends, a run-up to the end or a rush at the start - that the item keeps.
 */
function simulate(draws: Draws): SimulatedItem {
  const mean = Math.exp(draws.between(Math.log(3), Math.log(3000)));
  const variation = draws.between(0.1, 0.5);
  const dispersion = draws.between(1, 10);
  const slope = draws.between(-1, 2);
  const weekend = draws.between(0.1, 1);
  const restDay = Math.floor(draws.between(0, 7));
  const monthOf = (month: MonthNumber, rate: number) => {
    const length = daysInMonth(month);
    const weights = Array.from({ length }, (_, day) => {
      const run = Math.max(1 + slope * (day / length - 0.5), 0.05);
      return run * ((firstWeekday(month) + day + restDay) % 7 < 2 ? weekend : 1);
    });
    const total = sumOf(weights);
    return weights.map((weight) => draws.count((rate * weight) / total, dispersion));
  };
  const shape = 1 / (variation * variation);
  const rate = () => (mean * draws.gamma(shape)) / shape;
  // What a forecaster can know of the month: its mean, and the spread of rate and orders together.
  const sigma = Math.sqrt((mean * variation) ** 2 + mean * dispersion);
  return {
    prior: { mean, q10: Math.max(mean - 1.2816 * sigma, 0), q50: mean, q90: mean + 1.2816 * sigma },
    past: Array.from({ length: SIMULATED_MONTHS }, (_, k) => {
      return { month: SIMULATED_FROM + k, days: monthOf(SIMULATED_FROM + k, rate()) };
    }),
    current: monthOf(SIMULATED_FROM + SIMULATED_MONTHS, rate()),
  };
}

function simulatedScores(seed: number): object {
  const draws = drawsFrom(createRandom(seed));
  const items = Array.from({ length: SERIES }, () => simulate(draws));
  const scores = new ScoresByElapsed();
  const workspace = items.map((item) => ({ ...item, scale: item.prior.mean }));
  scores.addMonth(SIMULATED_FROM + SIMULATED_MONTHS, workspace);
  return scores.report();
}

/** Each month of the part in turn: forecast from the months before it, build-up from the two years of days before it. */
function realScores(set: DailySet, [from, to]: readonly [number, number]): object {
  const totals = set.items.map((item) => Float64Array.from(item.months, (days) => sumOf(days)));
  const scores = new ScoresByElapsed();
  for (let k = from; k < to; k++) {
    const priors = forecastMonth(set, totals, k);
    const first = Math.max(k - DAILY_MONTHS, 0);
    const workspace = set.items.map((item, i) => ({
      prior: priors[i]!,
      past: item.months.slice(first, k).map((days, j) => ({ month: set.firstMonth + first + j, days })),
      current: item.months[k]!,
      scale: sumOf(totals[i]!.subarray(from, to)) / (to - from),
    }));
    scores.addMonth(set.firstMonth + k, workspace);
  }
  return scores.report();
}

/** Forecasts of month `k` of a set from the months before it, as a run makes them. */
function forecastMonth(set: DailySet, totals: readonly Float64Array[], k: number): Prior[] {
  const settings = { ...DEFAULT_SETTINGS, horizon: 1, backtestWindows: 0 };
  const histories = set.items.map(({ id }, i) => ({
    id,
    startMonth: set.firstMonth,
    values: totals[i]!.slice(0, k),
  }));
  const pooled = poolWorkspace(histories, settings);
  return histories.map((history) => {
    const result = forecastSeries(history, pooled, settings);
    if (result.kind === 'skipped') throw new Error(`${history.id} was skipped: ${result.detail}`);
    const { mean, quantiles } = result;
    return { mean: mean[0]!, q10: quantiles[0]!, q50: quantiles[MEDIAN]!, q90: quantiles.at(-1)! };
  });
}

interface Item extends SimulatedItem {
  /** What its errors are divided by. */
  readonly scale: number;
}

class ScoresByElapsed {
  private readonly scores = ELAPSED.map((elapsed) => ({ elapsed, scores: new SensingScores() }));

  /** Adds a month of a workspace, its items sensed at each of the elapsed shares. */
  addMonth(month: MonthNumber, items: readonly Item[]): void {
    const curves = items.map((item) => shareCurve(item.past));
    const pool = poolShareCurves(curves);
    items.forEach(({ prior, current, scale }, i) => {
      for (const { elapsed, scores } of this.scores) {
        const cut = Math.round(elapsed * current.length);
        const known = { own: curves[i], pool, wholeUnits: true };
        const monthToDate = sumOf(current.slice(0, cut));
        const soFar = { monthToDate, sold: monthToDate, elapsed: cut / current.length };
        scores.add({ month, prior, ...soFar, ...known }, sumOf(current), scale);
      }
    });
  }

  report(): object {
    return Object.fromEntries(this.scores.map(({ elapsed, scores }) => [`elapsed ${elapsed}`, scores.report()]));
  }
}

/** See {@link run}. */
export const OPTIONS = { flags: ['tuning'] };

/**
 * Demand sensing on simulated and on real daily demand: mean absolute error of the month's total, each item divided by its mean
 * month, after a quarter, half and three quarters of the month, see SensingScores for what it is compared with. `--tuning` scores
 * the months and the seed that constants may be chosen on instead.
 */
export function run(options: Arguments): Promise<object> {
  const part = options.flag('tuning') ? 'tuning' : 'held_out';
  const real = DAILY_SETS.filter((name) => SCORED[name][part][0] < SCORED[name][part][1]);
  return Promise.resolve({
    simulated: simulatedScores(part === 'tuning' ? 97 : 41),
    ...Object.fromEntries(real.map((name) => [name, realScores(readDailySet(name), SCORED[name][part])])),
  });
}
