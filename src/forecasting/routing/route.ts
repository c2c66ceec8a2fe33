import type { OriginPool } from '../pooled-model.js';
import type { QuantileForecast, RouteName } from '../types.js';

/** A forecast and where it comes from. */
export interface RoutedForecast {
  readonly forecast: QuantileForecast;
  /** Route that the history took. */
  readonly model: RouteName;
}

/** What the forecasts of all series at one origin share. */
export interface ForecastTask {
  readonly pool: OriginPool;
  /** In months. */
  readonly horizon: number;
  readonly seed: number;
}
