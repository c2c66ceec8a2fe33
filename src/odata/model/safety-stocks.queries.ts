import type { SafetyStockRow } from '../safety-stock/safety-stock-row.js';
import { type EntitySet, required, SERIES_PROPERTIES, TO_RUN, TO_SERIES, TO_WORKSPACE } from './entity-set.js';

/** Columns of the computed rows: name, PostgreSQL type, value. */
const COMPUTED: readonly (readonly [string, string, (row: SafetyStockRow) => unknown])[] = [
  ['run_id', 'uuid', (row) => row.runId],
  ['series_id', 'uuid', (row) => row.seriesId],
  ['safety_stock', 'float8', (row) => row.advice.safety_stock],
  ['reorder_point', 'float8', (row) => row.advice.reorder_point],
  ['lead_time_demand', 'float8', (row) => row.advice.lead_time_demand],
  ['lead_time_demand_sigma', 'float8', (row) => row.advice.lead_time_demand_sigma],
  ['lead_time', 'float8', (row) => row.advice.lead_time],
  ['service_level', 'float8', (row) => row.advice.service_level],
  ['method', 'text', (row) => row.advice.method],
  ['demand_pattern', 'text', (row) => row.advice.demand_pattern],
];
const COLUMNS = COMPUTED.map(([name]) => name).join(', ');

/**
 * Safety stock, which the engine computes and nobody stores: the rows go to the database as arrays, so that filters and
 * everything else are asked of them as of any other set.
 */
export const SAFETY_STOCKS: EntitySet = {
  name: 'SafetyStocks',
  entityType: 'SafetyStock',
  key: ['series_id'],
  properties: [
    required.guid('series_id'),
    required.guid('workspace_id'),
    required.guid('run_id'),
    ...SERIES_PROPERTIES,
    required.double('safety_stock'),
    required.double('reorder_point'),
    required.double('lead_time_demand'),
    required.double('lead_time_demand_sigma'),
    required.double('lead_time'),
    required.double('service_level'),
    required.string('method'),
    required.string('demand_pattern'),
  ],
  navigations: [TO_WORKSPACE, TO_SERIES, TO_RUN],
  computed: true,
  source: (parameters, safetyStocks) =>
    `SELECT advice.series_id, s.workspace_id, advice.run_id, s.unique_id, s.product_name COLLATE "C" AS product_name,
            s.category COLLATE "C" AS category, s.unit COLLATE "C" AS unit, advice.safety_stock, advice.reorder_point,
            advice.lead_time_demand, advice.lead_time_demand_sigma, advice.lead_time, advice.service_level,
            advice.method COLLATE "C" AS method, advice.demand_pattern COLLATE "C" AS demand_pattern
       FROM unnest(${COMPUTED.map(([, type, value]) => parameters.bind(safetyStocks.map(value), `${type}[]`)).join(', ')}) AS advice (${COLUMNS})
       JOIN series s ON s.id = advice.series_id
      WHERE s.organization_id = $1 AND ($2::uuid IS NULL OR s.workspace_id = $2)`,
};
