import { LATEST_ADVISED_OF_WORKSPACES } from '../../runs/index.js';
import {
  type EntitySet,
  optional,
  required,
  SERIES_PROPERTIES,
  seriesColumns,
  TO_RUN,
  TO_SERIES,
  TO_WORKSPACE,
} from './entity-set.js';

/** Safety stock from the latest completed run of each workspace; for the targets of the series; computed on request where no worker has stored it yet. */
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
    optional.double('undershoot'),
    required.double('lead_time'),
    required.double('lead_time_sd'),
    required.double('service_level'),
    required.string('method'),
    required.string('demand_pattern'),
    optional.string('warnings', { longest: 1_000 }),
  ],
  navigations: [TO_WORKSPACE, TO_SERIES, TO_RUN],
  computed: true,
  source: `SELECT stock.series_id, stock.workspace_id, stock.run_id, ${seriesColumns()}, stock.safety_stock, stock.reorder_point,
            stock.lead_time_demand, stock.lead_time_demand_sigma, stock.undershoot, stock.lead_time, stock.lead_time_sd, stock.service_level,
            stock.method COLLATE "C" AS method,
            stock.demand_pattern COLLATE "C" AS demand_pattern, stock.warnings COLLATE "C" AS warnings
       FROM safety_stocks stock JOIN series s ON s.id = stock.series_id
      WHERE stock.organization_id = $1 AND ($2::uuid IS NULL OR stock.workspace_id = $2)
        AND stock.run_id = ANY (ARRAY(SELECT latest.id FROM ${LATEST_ADVISED_OF_WORKSPACES}))`,
};
