import { expect, it } from '@jest/globals';
import { AIR_PASSENGERS, intermittentSeries } from '../testing/series.js';
import { ces } from './ces.js';
import { runForecaster } from './forecaster.js';

it.each([
  ['the airline series', AIR_PASSENGERS],
  ['rare orders', intermittentSeries(60)],
])('complex exponential smoothing forecasts %s alike in any unit', (_, values) => {
  const pieces = runForecaster(ces, values, 18, 1)!;
  const ofThree = runForecaster(
    ces,
    values.map((value) => 3 * value),
    18,
    1,
  )!;
  ofThree.quantiles.forEach((value, i) => expect(value / 3).toBeCloseTo(pieces.quantiles[i]!, 9));
});
