import { createRandom } from '../src/forecasting/numeric/random.js';
import { senseDemand } from '../src/forecasting/sensing.js';
import { poolShareCurves, shareCurve } from '../src/forecasting/share-curve.js';
import { type Draws, drawsFrom } from './simulated-demand.js';

const SERIES = 4_000;
const HISTORY_MONTHS = 12;
const DAYS = 30;
const ELAPSED = [0.25, 0.5, 0.75];

interface Simulated {
  readonly prior: { mean: number; q10: number; q50: number; q90: number };
  readonly past: number[][];
  readonly current: number[];
}

/**
 * One item: a monthly rate of 3 to 3,000 pieces known to 10 to 50 percent, orders of one to ten pieces (negative binomial days),
 * days of the month of unequal weight - weekends, a run-up to the end or a rush at the start - that the item keeps.
 */
function simulate(draws: Draws): Simulated {
  const mean = Math.exp(draws.between(Math.log(3), Math.log(3000)));
  const variation = draws.between(0.1, 0.5);
  const dispersion = draws.between(1, 10);
  const slope = draws.between(-1, 2);
  const weekend = draws.between(0.1, 1);
  const offset = Math.floor(draws.between(0, 7));
  const monthOf = (rate: number) => {
    const start = Math.floor(draws.between(0, 7));
    const weights = Array.from({ length: DAYS }, (_, day) => {
      const run = Math.max(1 + slope * (day / DAYS - 0.5), 0.05);
      return run * ((day + start + offset) % 7 < 2 ? weekend : 1);
    });
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    return weights.map((weight) => draws.count((rate * weight) / total, dispersion));
  };
  const shape = 1 / (variation * variation);
  const rate = () => (mean * draws.gamma(shape)) / shape;
  // What a forecaster can know of the month: its mean, and the spread of rate and orders together.
  const sigma = Math.sqrt((mean * variation) ** 2 + mean * dispersion);
  return {
    prior: { mean, q10: Math.max(mean - 1.2816 * sigma, 0), q50: mean, q90: mean + 1.2816 * sigma },
    past: Array.from({ length: HISTORY_MONTHS }, () => monthOf(rate())),
    current: monthOf(rate()),
  };
}

/**
 * Demand sensing on simulated daily demand: mean absolute error of the month's total, each item divided by its mean, after a
 * quarter, half and three quarters of the month. Against the forecast alone, pro rata (to date over elapsed share), the blend
 * by elapsed share (to date plus the rest of the forecast) and pro rata with the learnt share. The tree holds no daily demand of
 * real items, so nothing is claimed for such.
 */
export function run(): Promise<object> {
  const draws = drawsFrom(createRandom(41));
  const items = Array.from({ length: SERIES }, () => simulate(draws));
  const curves = items.map((item) => shareCurve(item.past));
  const pool = poolShareCurves(curves);
  const report: Record<string, Record<string, number>> = {};
  for (const elapsed of ELAPSED) {
    const errors = { blend: 0, prior: 0, pro_rata: 0, elapsed_weight: 0, pro_rata_learnt_share: 0 };
    let within = 0;
    items.forEach((item, i) => {
      const cut = Math.round(elapsed * DAYS);
      const monthToDate = item.current.slice(0, cut).reduce((sum, value) => sum + value, 0);
      const actual = item.current.reduce((sum, value) => sum + value, 0);
      const share = cut / DAYS;
      const sensed = senseDemand({
        prior: item.prior,
        monthToDate,
        elapsed: share,
        own: curves[i],
        pool,
        wholeUnits: true,
      });
      const { mean } = item.prior;
      const add = (name: keyof typeof errors, value: number) =>
        (errors[name] += Math.abs(value - actual) / mean / SERIES);
      add('blend', sensed.q50);
      add('prior', item.prior.q50);
      add('pro_rata', monthToDate / share);
      add('elapsed_weight', monthToDate + (1 - share) * mean);
      add('pro_rata_learnt_share', monthToDate / sensed.expectedShare);
      if (actual >= sensed.q10 && actual <= sensed.q90) within++;
    });
    const rounded = Object.fromEntries(Object.entries(errors).map(([name, value]) => [name, Number(value.toFixed(4))]));
    const best = Math.min(errors.prior, errors.pro_rata, errors.elapsed_weight, errors.pro_rata_learnt_share);
    report[`elapsed ${elapsed}`] = {
      ...rounded,
      gain_percent: Number((100 * (1 - errors.blend / best)).toFixed(1)),
      coverage_q10_q90: Number(((100 * within) / SERIES).toFixed(1)),
    };
  }
  return Promise.resolve(report);
}
