import { describe, expect, it } from '@jest/globals';
import { usualPrior } from '../calendar-regression/calendar-prior.js';
import { weekdayExcess } from '../calendar-regression/regressors.js';
import { history, seasonalSeries } from '../testing/series.js';
import { forecastMembers } from './members.js';
import { byMember } from './member-names.js';
import { fitPooledAutoregression } from './pooled-autoregression.js';

const { values, startMonth } = history(seasonalSeries(60));
const prior = usualPrior();
const workspace = Array.from({ length: 20 }, (_, i) => history(seasonalSeries(60, i)));
const autoregression = fitPooledAutoregression(workspace, prior, 12);
const INPUT = { values, startMonth, prior, autoregression, horizon: 12, seed: 1 };

describe('forecastMembers', () => {
  it.each(byMember((name) => name).map((name, m) => [name, m] as const))(
    'carries the season of the history into the forecast of %s',
    (_, m) => {
      const { mean } = forecastMembers(
        INPUT,
        byMember(() => 1),
      )[m]!;
      // A wave of 30 % about 100 with its crest in April and its trough in October.
      expect(mean[3]! / mean[9]!).toBeGreaterThan(1.5);
      expect(mean[3]! / mean[9]!).toBeLessThan(2.2);
    },
  );

  it.each(
    byMember((name) => name)
      .map((name, m) => [name, m] as const)
      .filter(([name]) => name !== 'seasonal_naive'),
  )('does not mistake a last month of twenty times the usual for the level in the forecast of %s', (_, m) => {
    const odd = values.slice();
    odd[59]! *= 20;
    const [before, after] = [values, odd].map((months) =>
      forecastMembers(
        { ...INPUT, values: months },
        byMember(() => 1),
      )[m]!.mean.reduce((sum, month) => sum + month, 0),
    );
    expect(after! / before!).toBeLessThan(2);
  });

  it.each(['averaged_ets', 'network', 'network_adjusted'])(
    'accounts for the working days of the months ahead in the forecast of %s',
    (name) => {
      const worked = values.map((_, t) => 100 * Math.exp(0.05 * weekdayExcess(startMonth + t)) + (t % 2));
      const members = forecastMembers(
        { ...INPUT, values: worked },
        byMember(() => 1),
      );
      const { mean } = members[byMember((other) => other).findIndex((other) => other === name)]!;
      const levels = mean.map((month, k) => month / Math.exp(0.05 * weekdayExcess(startMonth + 60 + k)));
      expect(Math.max(...levels) / Math.min(...levels)).toBeLessThan(1.03);
    },
  );

  it('skips members without weight', () => {
    const members = forecastMembers(
      INPUT,
      byMember((name) => Number(name === 'theta')),
    );
    expect(members.map((forecast) => forecast !== null)).toEqual(byMember((name) => name === 'theta'));
  });
});
