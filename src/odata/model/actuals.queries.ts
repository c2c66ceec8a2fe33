import { type EntitySet, required, SERIES_PROPERTIES, seriesColumns, TO_SERIES, TO_WORKSPACE } from './entity-set.js';

const STORED = `series s JOIN demand d ON d.series_id = s.id`;
/** What all days of a year of demand share. */
const SHARED = `s.id AS series_id, s.workspace_id, ${seriesColumns()}`;
const OF_CALLER = `s.organization_id = $1 AND ($2::uuid IS NULL OR s.workspace_id = $2)`;

/** Demand as uploaded, one row per series and day; monthly demand is on the first day of its month. */
export const ACTUALS: EntitySet = {
  name: 'Actuals',
  entityType: 'Actual',
  key: ['series_id', 'ds'],
  properties: [
    required.guid('series_id'),
    required.date('ds', { within: ['year_begin', 'year_end'], unpacked: true }),
    required.guid('workspace_id'),
    ...SERIES_PROPERTIES,
    required.date('month', { within: ['year_begin', 'year_end'], unpacked: true }),
    required.double('y', { unpacked: true }),
  ],
  navigations: [TO_WORKSPACE, TO_SERIES],
  // unnested as a column: the result of a function in FROM is materialized first, which took a third of the time. The workspace is that of
  // the series: with the workspace of the demand as a condition, PostgreSQL scans all of it for each series until statistics cover a recent
  // upload
  source: `SELECT ${SHARED}, day.ds, date_trunc('month', day.ds::timestamp)::date AS month, day.y,
            make_date(d.year, 1, 1) AS year_begin, make_date(d.year, 12, 31) AS year_end
       FROM ${STORED} CROSS JOIN LATERAL (SELECT unnest(d.days) AS ds, unnest(d.quantities) AS y) AS day
      WHERE ${OF_CALLER}`,
  packed: `SELECT ${SHARED}, cardinality(d.days) AS size FROM ${STORED} WHERE ${OF_CALLER}`,
};
