import { describe, expect, it } from '@jest/globals';
import { usualPrior } from '../calendar-regression/calendar-prior.js';
import { normalQuantile } from '../../numeric/normal.js';
import { createRandom } from '../../numeric/random.js';
import { history } from '../testing/series.js';
import { LEVELS, type DemandHistory } from '../types.js';
import { fitPooledAutoregression, forecastByAutoregression } from './pooled-autoregression.js';

const HORIZON = 12;
const MONTHS = 84;

/** Demand of about 1,000 with autoregressive deviations (`persistence`) and a monthly `drift`. */
function demand(seed: number, { persistence, drift = 0 }: { readonly persistence: number; readonly drift?: number }) {
  const random = createRandom(seed);
  let deviation = 0;
  return Float64Array.from({ length: MONTHS }, (_, t) => {
    deviation = persistence * deviation + 40 * normalQuantile(0.001 + 0.998 * random());
    return 1000 + drift * t + deviation;
  });
}

const workspace = (process: { readonly persistence: number; readonly drift?: number }): DemandHistory[] =>
  Array.from({ length: 40 }, (_, seed) => history(demand(seed + 1, process)));

const fit = (histories: readonly DemandHistory[], horizon = HORIZON) =>
  fitPooledAutoregression(histories, usualPrior(), horizon);

/** Five years at 1,000 with small changes, then half a year at 1,200. */
const lifted = Float64Array.from({ length: 66 }, (_, t) => (t < 60 ? 1000 : 1200) + 20 * Math.sin(7 * t));

describe('the pooled autoregression', () => {
  it('expects a new level to persist where levels in the workspace persist, and to revert where they revert', () => {
    const [stays, returns] = [1, 0.5].map((persistence) => {
      const forecast = forecastByAutoregression(fit(workspace({ persistence }))!, lifted, HORIZON);
      return forecast!.mean[HORIZON - 1]!;
    });
    expect(stays).toBeGreaterThan(1150);
    expect(returns).toBeLessThan(1130);
  });

  it('continues the growth shared by the series of a workspace', () => {
    const growing = fit(workspace({ persistence: 0.5, drift: 10 }))!;
    const values = demand(99, { persistence: 0.5, drift: 10 });
    const { mean } = forecastByAutoregression(growing, values, HORIZON)!;
    const expected = 1000 + 10 * (MONTHS + HORIZON - 1);
    expect(Math.abs(mean[HORIZON - 1]! - expected)).toBeLessThan(60);
  });

  it('does not learn from missing months, such as those after an item ended', () => {
    const histories = workspace({ persistence: 0.8 });
    const ended = histories.map((one) => ({
      ...one,
      values: one.values.map((y, t) => (t < 50 ? y : NaN)).subarray(0, 60),
    }));
    const cut = histories.map((one) => ({ ...one, values: one.values.subarray(0, 50) }));
    expect(fit(ended)).not.toBeNull();
    expect(fit(ended)).toEqual(fit(cut));
  });

  it('has intervals with the stated coverage', () => {
    const model = fit(workspace({ persistence: 0.8 }))!;
    let covered = 0;
    const others = 200;
    for (let seed = 1000; seed < 1000 + others; seed++) {
      const values = demand(seed, { persistence: 0.8 });
      const { quantiles } = forecastByAutoregression(model, values.subarray(0, MONTHS - HORIZON), HORIZON)!;
      for (let k = 0; k < HORIZON; k++) {
        const actual = values[MONTHS - HORIZON + k]!;
        if (actual >= quantiles[k * LEVELS]! && actual <= quantiles[k * LEVELS + LEVELS - 1]!) covered++;
      }
    }
    expect(covered / (others * HORIZON)).toBeGreaterThan(0.74);
    expect(covered / (others * HORIZON)).toBeLessThan(0.84);
  });

  it('forecasts the same in any unit', () => {
    const histories = workspace({ persistence: 0.8 });
    const inUnits = (unit: number) => histories.map((one) => ({ ...one, values: one.values.map((y) => y * unit) }));
    const unit = 2 ** -40;
    const scaled = forecastByAutoregression(
      fit(inUnits(unit))!,
      lifted.map((y) => y * unit),
      HORIZON,
    )!;
    const usual = forecastByAutoregression(fit(histories)!, lifted, HORIZON)!;
    usual.quantiles.forEach((quantile, i) => expect(scaled.quantiles[i]! / unit).toBeCloseTo(quantile, 6));
  });

  it('repeats the last fitted month beyond the fitted horizon', () => {
    const { quantiles } = forecastByAutoregression(fit(workspace({ persistence: 0.8 }), 6)!, lifted, HORIZON)!;
    expect(quantiles.subarray(11 * LEVELS)).toEqual(quantiles.subarray(5 * LEVELS, 6 * LEVELS));
  });

  it('is not fitted from a few windows', () => {
    const histories = workspace({ persistence: 0.8 });
    expect(fit([])).toBeNull();
    expect(fit(histories.slice(0, 4))).toBeNull(); // 49 windows each
    expect(fit(histories.slice(0, 5))).not.toBeNull();
    const ofMonths = (months: number) => histories.map((one) => ({ ...one, values: one.values.subarray(0, months) }));
    expect(fit(ofMonths(47))).toBeNull(); // two years, and less than two horizons
    expect(fit(ofMonths(48))).not.toBeNull();
  });

  it('skips histories with less than half of the last year known, and constant ones', () => {
    const model = fit(workspace({ persistence: 0.8 }))!;
    const silent = (months: number) => lifted.map((y, t) => (t < 66 - months ? y : NaN));
    expect(forecastByAutoregression(model, silent(6), HORIZON)).not.toBeNull();
    expect(forecastByAutoregression(model, silent(7), HORIZON)).toBeNull();
    expect(forecastByAutoregression(model, new Float64Array(66).fill(5), HORIZON)).toBeNull();
  });

  it('is plain JSON that round-trips unchanged', () => {
    const model = fit(workspace({ persistence: 0.8 }))!;
    expect(model.coefficients).toHaveLength(HORIZON);
    expect(JSON.parse(JSON.stringify(model))).toEqual(model);
  });
});
