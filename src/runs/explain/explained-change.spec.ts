import { describe, expect, it } from '@jest/globals';
import { monthNumber } from '../../forecasting/index.js';
import { summarizeTotals } from './explained-change.js';

describe('summarizeTotals', () => {
  const month = {
    month: monthNumber(2026, 12),
    prior: 20_000,
    current: 24_000,
    total: 4_000,
    dataRevision: 0,
    newActualsLevel: 4_000,
    newActualsTrend: 0,
    newActualsSeason: 0,
    reestimation: 0,
    modelChange: 0,
    overrides: 0,
  };
  const sentence = 'rose from 20,000 to 24,000';

  it('names the unit shared by all series', () => {
    expect(summarizeTotals([month], { units: ['kg'], measures: ['median'] })).toContain(`${sentence} kg, 20 %`);
    expect(summarizeTotals([month], { units: [null], measures: ['median'] })).toContain(`${sentence}, 20 %`);
  });

  it('states that different units were added', () => {
    expect(summarizeTotals([month], { units: ['kg', 'pcs', null], measures: ['median'] })).toMatch(
      /rose from 20,000 to 24,000, 20 %: .*\. The totals are sums over different units: kg, pcs, no unit\.$/,
    );
  });

  it('says which months are only of series whose data ended earlier', () => {
    const sums = { units: ['kg'], measures: ['median'] } as const;
    const months = [9, 10, 11, 12].map((of) => ({ ...month, month: monthNumber(2026, of) }));
    expect(summarizeTotals(months, { ...sums, newestMonth: monthNumber(2026, 10) })).toMatch(
      /^The forecast for September 2026 to December 2026 rose .*\. Months up to October 2026 are only those of series whose data ended earlier\.$/,
    );
    for (const newestMonth of [monthNumber(2026, 8), undefined]) {
      expect(summarizeTotals(months, { ...sums, newestMonth })).not.toContain('ended earlier');
    }
  });

  it('names the measure shared by all series, and states that different ones were combined', () => {
    expect(summarizeTotals([month], { units: ['kg'], measures: ['mean'] })).toMatch(
      /^The expected demand for .* kg, 20 %/,
    );
    expect(summarizeTotals([month], { units: ['kg'], measures: ['mean', 'median'] })).toMatch(
      /^The forecast for .*\. The totals combine the expected demand of rarely ordered series with the medians of the others\.$/,
    );
  });
});
