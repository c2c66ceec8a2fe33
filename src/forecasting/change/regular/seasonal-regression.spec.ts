import { describe, expect, it } from '@jest/globals';
import { COLUMNS, designOf, GROWTH, SeasonalRegression } from './seasonal-regression.js';

const design = designOf(24_240);

/** A regression of growth by `growth` a year and a season. */
function regressionOf(growth: number, months = 120): SeasonalRegression {
  const regression = new SeasonalRegression();
  for (let index = 0; index < months; index++) {
    const row = design(index).slice();
    row[GROWTH]! -= months / 24;
    regression.add(row, growth * row[GROWTH]! + 3 * row[0]!, 1);
  }
  regression.solve(1);
  return regression;
}

/** Variance that is left of growth, in variances of one month. */
function varianceOfGrowth({ factor }: SeasonalRegression): number {
  return 1 / factor[GROWTH * COLUMNS + GROWTH]! ** 2;
}

describe('SeasonalRegression', () => {
  it('learns how large growth may be, so that clear growth is not shrunk', () => {
    const regression = regressionOf(6, 36);
    for (let months = 0; months < 12; months++) regression.solve(1);
    expect(regression.coefficients[GROWTH]! / 6).toBeGreaterThan(0.9);
  });

  it('knows growth less what was taken out of it', () => {
    const [whole, rest] = [regressionOf(2), regressionOf(2)];
    rest.takeGrowth(1.5);
    expect(rest.coefficients[GROWTH]).toBeCloseTo(whole.coefficients[GROWTH]! - 1.5, 9);
    rest.solve(1);
    expect(rest.coefficients[GROWTH]).toBeCloseTo(0.5, 1);
    expect(rest.coefficients[0]).toBeCloseTo(whole.coefficients[0]!, 1);
  });

  it('becomes less sure of growth by what it may have changed by, and of nothing else', () => {
    const [sure, unsure] = [regressionOf(2), regressionOf(2)];
    const before = varianceOfGrowth(sure);
    unsure.loosenGrowth(0.04);
    unsure.solve(1);
    expect(before).toBeLessThan(0.02);
    expect(varianceOfGrowth(unsure) / (before + 0.04)).toBeGreaterThan(0.8);
    expect(varianceOfGrowth(unsure)).toBeLessThan(before + 0.04);
    expect(unsure.coefficients[0]).toBeCloseTo(sure.coefficients[0]!, 1);
    expect(unsure.factor[0]! / sure.factor[0]!).toBeGreaterThan(0.95);
  });
});
