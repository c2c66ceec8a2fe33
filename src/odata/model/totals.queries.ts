import { LATEST_ADVISED_OF_WORKSPACES } from '../../runs/index.js';
import { type EntitySet, optional, required, TO_RUN, TO_WORKSPACE } from './entity-set.js';

/** The UUID (version 8, RFC 9562) that stands for a text. */
const uuidOf = (text: string): string => `overlay(overlay(md5(${text}) placing '8' from 13) placing '8' from 17)::uuid`;

/**
 * Totals by category from the latest completed run of each workspace, stored with it along with safety stock. The key has no run: if
 * another run is stored between two pages, each total is still listed once.
 */
export const TOTALS: EntitySet = {
  name: 'Totals',
  entityType: 'Total',
  key: ['total_id', 'ds'],
  properties: [
    required.guid('total_id'),
    required.guid('workspace_id'),
    required.guid('run_id'),
    optional.string('category'),
    optional.string('unit'),
    required.date('ds'),
    required.int32('series'),
    required.double('q10'),
    required.double('q50'),
    required.double('q90'),
    required.double('mean'),
  ],
  navigations: [TO_WORKSPACE, TO_RUN],
  computed: true,
  source: `SELECT ${uuidOf('jsonb_build_array(r.workspace_id, total.category, total.unit)::text')} AS total_id, total.ds, r.workspace_id,
            r.id AS run_id, total.category COLLATE "C" AS category, total.unit COLLATE "C" AS unit, total.series, total.q10, total.q50,
            total.q90, total.mean
       FROM runs r
       CROSS JOIN LATERAL jsonb_to_recordset(r.totals)
         AS total (category text, unit text, ds date, series int, q10 float8, q50 float8, q90 float8, mean float8)
      WHERE r.organization_id = $1 AND ($2::uuid IS NULL OR r.workspace_id = $2)
        AND r.id = ANY (ARRAY(SELECT latest.id FROM ${LATEST_ADVISED_OF_WORKSPACES}))`,
};
