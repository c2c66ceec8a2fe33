import { SEASON } from '../types.js';
import { interpolateMissing, observedRange } from '../missing.js';
import { autoEtsNonSeasonal } from './auto-ets.js';
import { stl } from './decomposition/stl.js';
import type { Forecaster } from './forecaster.js';
import { rescaleMonth } from './rescale.js';

/**
 * STL decomposition, automatic non-seasonal exponential smoothing on the adjusted series, and the last year's season put
 * back (as R `forecast::stlf`). Positive series are decomposed in logarithms, since demand seasons scale with the level.
 * Missing months are interpolated for the decomposition only.
 */
export const stlEts: Forecaster = {
  minObservations: 2 * SEASON + 1,
  forecast(values, horizon, seed) {
    const positive = observedRange(values).smallest > 0;
    const n = values.length;
    const { seasonal } = stl(interpolateMissing(positive ? values.map(Math.log) : values));
    const adjusted = values.map((value, t) => (positive ? value * Math.exp(-seasonal[t]!) : value - seasonal[t]!));
    const forecast = autoEtsNonSeasonal.forecast(adjusted, horizon, seed);
    for (let k = 0; k < horizon; k++) {
      const season = seasonal[n - SEASON + (k % SEASON)]!;
      if (positive) rescaleMonth(forecast, k, Math.exp(season), 0);
      else rescaleMonth(forecast, k, 1, season);
    }
    return forecast;
  },
};
