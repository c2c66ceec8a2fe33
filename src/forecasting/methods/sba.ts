import { CROSTON_ALPHA, crostonRate } from './croston.js';
import { rateForecaster } from './rate-forecaster.js';

/**
 * Syntetos-Boylan approximation (International Journal of Forecasting 21, 2005): Croston's rate times 1 - alpha / 2, which
 * takes out most of its upward bias.
 */
export const sba = rateForecaster((demand) => (1 - CROSTON_ALPHA / 2) * crostonRate(demand));
