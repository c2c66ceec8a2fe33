import type { ModelName } from '../types.js';
import { adida } from './adida.js';
import { autoEts } from './auto-ets.js';
import { ces } from './ces.js';
import { croston } from './croston.js';
import { dynamicTheta } from './dynamic-theta.js';
import type { Forecaster } from './forecaster.js';
import { imapa } from './imapa.js';
import { ridgeFourier } from './ridge-fourier.js';
import { sba } from './sba.js';
import { seasonalNaive } from './seasonal-naive.js';
import { stlEts } from './stl-ets.js';
import { theta } from './theta.js';
import { tsb } from './tsb.js';

/** Name of a method that forecasts by itself. */
export type ClassicalName = Exclude<ModelName, 'auto'>;

/** Every method that can be asked for by name, in the order of `MODEL_NAMES`. */
export const METHODS: Readonly<Record<ClassicalName, Forecaster>> = {
  seasonal_naive: seasonalNaive,
  auto_ets: autoEts,
  theta,
  dynamic_theta: dynamicTheta,
  ces,
  stl_ets: stlEts,
  ridge_fourier: ridgeFourier,
  croston,
  sba,
  tsb,
  adida,
  imapa,
};

/**
 * Observed months from which at least one of the models forecasts a series; `auto` needs one. A constant series needs one
 * whichever the model ({@link runForecaster}).
 */
export function fewestMonths(models: readonly ModelName[]): number {
  return Math.min(...models.map((model) => (model === 'auto' ? 1 : METHODS[model].minObservations)));
}
