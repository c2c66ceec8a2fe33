import { ACTUALS } from './actuals.queries.js';
import { ALERTS } from './alerts.queries.js';
import type { EntitySet } from './entity-set.js';
import { FORECASTS } from './forecasts.queries.js';
import { RUNS } from './runs.queries.js';
import { SAFETY_STOCKS } from './safety-stocks.queries.js';
import { SERIES_METRICS } from './series-metrics.queries.js';
import { SERIES } from './series.queries.js';
import { TOTALS } from './totals.queries.js';
import { WORKSPACES } from './workspaces.queries.js';

export const NAMESPACE = 'Forecasting';

/** Every set of the feed, in the order of the service document. */
export const ENTITY_SETS: readonly EntitySet[] = [
  WORKSPACES,
  SERIES,
  ACTUALS,
  RUNS,
  FORECASTS,
  SERIES_METRICS,
  TOTALS,
  SAFETY_STOCKS,
  ALERTS,
];

export function findEntitySet(name: string): EntitySet | undefined {
  return ENTITY_SETS.find((set) => set.name === name);
}

/** The set that a navigation leads to. */
export function entitySet(name: string): EntitySet {
  const set = findEntitySet(name);
  if (!set) throw new Error(`the model has no set ${name}`);
  return set;
}
