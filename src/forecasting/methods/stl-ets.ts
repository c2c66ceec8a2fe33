import { SEASON } from '../types.js';
import { interpolateMissing, observedRange } from '../missing.js';
import { autoEtsNonSeasonal } from './auto-ets.js';
import { stl } from './decomposition/stl.js';
import type { Forecaster } from './forecaster.js';
import { restoreEffects, withoutEffects } from './rescale.js';

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
    const adjusted = withoutEffects(values, (t) => seasonal[t]!, positive);
    const forecast = autoEtsNonSeasonal.forecast(adjusted, horizon, seed);
    restoreEffects(forecast, (k) => seasonal[n - SEASON + (k % SEASON)]!, positive);
    return forecast;
  },
};
