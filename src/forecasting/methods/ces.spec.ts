import { expect, it } from '@jest/globals';
import { intermittentSeries } from '../testing/series.js';
import { ces } from './ces.js';
import { runForecaster } from './forecaster.js';

it('ces forecasts rare orders the same in any unit', () => {
  const values = intermittentSeries(60);
  const pieces = runForecaster(ces, values, 18, 1)!;
  const ofThree = runForecaster(
    ces,
    values.map((value) => 3 * value),
    18,
    1,
  )!;
  ofThree.quantiles.forEach((value, i) => expect(value / 3).toBeCloseTo(pieces.quantiles[i]!, 9));
});
