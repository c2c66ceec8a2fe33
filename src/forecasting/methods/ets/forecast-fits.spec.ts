import { describe, expect, it } from '@jest/globals';
import { sampleQuantile } from '../../../numeric/sample-quantile.js';
import { sumOf } from '../../../numeric/sum.js';
import { gaussianTable, PATHS } from '../../quantiles/gaussian-table.js';
import { MAX_HORIZON } from '../../settings.js';
import { LEVELS, QUANTILE_LEVELS, SEASON } from '../../types.js';
import { forecastFits } from './forecast-fits.js';
import type { EtsFit, EtsForm } from './form.js';

const SEED = 3;
/** More than a year, so that a season comes back to what was shocked. */
const HORIZON = 15;

const NON_SEASONAL: EtsForm = { error: 'additive', trend: 'none', season: 'none' };

function fitOf(form: Partial<EtsForm>, parameters: Partial<EtsFit>): EtsFit {
  const none = { alpha: 0, beta: 0, gamma: 0, phi: 0, level: 0, slope: 0, seasonal: new Float64Array(0) };
  return { form: { ...NON_SEASONAL, ...form }, months: 50, sigma: 1, aicc: 0, ...none, ...parameters };
}

/** Quantiles of demand `pathOf(z)[k]` in month k over the table's paths of standard normal shocks z. */
function simulated(pathOf: (shocks: Float64Array) => readonly number[]): number[] {
  const table = gaussianTable(SEED);
  const paths = Array.from({ length: PATHS }, (_, i) => pathOf(table.subarray(i * MAX_HORIZON, (i + 1) * MAX_HORIZON)));
  return Array.from({ length: HORIZON }, (_, k) =>
    QUANTILE_LEVELS.map((level) =>
      sampleQuantile(
        Float64Array.from(paths, (path) => path[k]!),
        level,
      ),
    ),
  ).flat();
}

const months = <T>(valueOf: (k: number) => T): T[] => Array.from({ length: HORIZON }, (_, k) => valueOf(k));

const SEASONAL = Float64Array.from({ length: SEASON }, (_, m) => 1 + 0.05 * m);

describe('forecasts by exponential smoothing', () => {
  it.each<[string, EtsFit, number]>([
    ['no trend', fitOf({}, { alpha: 0.3, level: 20 }), 0],
    ['a trend', fitOf({ trend: 'additive' }, { alpha: 0.3, beta: 0.1, phi: 1, level: 20, slope: 2 }), 1],
    ['a damped trend', fitOf({ trend: 'damped' }, { alpha: 0.3, beta: 0.1, phi: 0.9, level: 20, slope: 2 }), 0.9],
    [
      'a trend and a season',
      fitOf(
        { trend: 'additive', season: 'additive' },
        { alpha: 0.3, beta: 0.1, gamma: 0.2, phi: 1, level: 20, slope: 2, seasonal: SEASONAL },
      ),
      1,
    ],
  ])('have the moving-average weights of a linear model with %s (Hyndman et al. 2008, 6.3)', (_, fit, phi) => {
    const { alpha, beta, gamma, level, slope, sigma, seasonal } = fit;
    const damped = (steps: number): number => sumOf(Array.from({ length: steps }, (__, i) => phi ** (i + 1)));
    const expected = months((k) => level + damped(k + 1) * slope + (seasonal[(fit.months + k) % SEASON] ?? 0));
    const weight = (lag: number): number =>
      lag === 0 ? 1 : alpha + beta * damped(lag) + (lag % SEASON === 0 ? gamma : 0);
    const { mean, quantiles } = forecastFits([fit], [1], HORIZON, SEED);
    mean.forEach((value, k) => expect(value).toBeCloseTo(expected[k]!, 10));
    simulated((z) =>
      months((k) => expected[k]! + sigma * sumOf(months((i) => (i <= k ? weight(k - i) * z[i]! : 0)))),
    ).forEach((value, i) => expect(quantiles[i]).toBeCloseTo(value, 9));
  });

  it.each([
    ['no season', fitOf({ error: 'multiplicative' }, { alpha: 0.3, level: 20, sigma: 0.5 })],
    [
      'a season',
      fitOf(
        { error: 'multiplicative', season: 'multiplicative' },
        { alpha: 0.3, gamma: 0.2, level: 20, sigma: 0.5, seasonal: SEASONAL },
      ),
    ],
  ])('multiply relative shocks, none of which takes more than 95 %% of demand, with %s', (_, fit) => {
    const { alpha, gamma, level, sigma, seasonal } = fit;
    const product = (factors: readonly number[]): number => factors.reduce((all, factor) => all * factor, 1);
    const { quantiles } = forecastFits([fit], [1], HORIZON, SEED);
    simulated((z) => {
      const shocks = months((k) => Math.max(sigma * z[k]!, -0.95));
      return months((k) => {
        const before = shocks.slice(0, k);
        const sameMonth = before.filter((__, i) => (k - i) % SEASON === 0);
        const season = (seasonal[(fit.months + k) % SEASON] ?? 1) * product(sameMonth.map((e) => 1 + gamma * e));
        return level * product(before.map((e) => 1 + alpha * e)) * season * (1 + shocks[k]!);
      });
    }).forEach((value, i) => expect(quantiles[i]! / value).toBeCloseTo(1, 9));
  });

  it('by several fits divide the paths among them by weight', () => {
    const certain = (level: number): EtsFit => fitOf({}, { level, sigma: 0 });
    const { mean, quantiles } = forecastFits([certain(10), certain(20), certain(99)], [0.65, 0.35, 0], 1, SEED);
    expect(mean[0]).toBeCloseTo(13.5, 12);
    expect(Array.from(quantiles)).toEqual([10, 10, 10, 10, 10, 10, 20, 20, 20]);
    expect(quantiles).toHaveLength(LEVELS);
  });
});
