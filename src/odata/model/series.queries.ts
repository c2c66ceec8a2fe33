import { countMonths } from '../../series/index.js';
import { type EntitySet, optional, required, SERIES_PROPERTIES, seriesColumns, TO_WORKSPACE } from './entity-set.js';

export const SERIES: EntitySet = {
  name: 'Series',
  entityType: 'Series',
  key: ['id'],
  properties: [
    required.guid('id'),
    required.guid('workspace_id'),
    ...SERIES_PROPERTIES,
    required.string('metadata', { stored: 'metadata_json', longest: 200_000 }),
    required.boolean('important'),
    optional.double('lead_time_months'),
    optional.double('lead_time_sd_months'),
    optional.double('target_service_level'),
    optional.string('replaced_by'),
    optional.string('trend_label'),
    optional.date('first_month'),
    optional.date('last_month'),
    required.int32('observations'),
    required.instant('created_at'),
    required.instant('updated_at'),
  ],
  navigations: [TO_WORKSPACE],
  // what is read from the demand is in subqueries, which a query that does not request it omits
  source: `SELECT s.id, s.workspace_id, ${seriesColumns()}, s.metadata::text COLLATE "C" AS metadata, s.metadata AS metadata_json,
            s.important, s.lead_time_months, s.lead_time_sd_months, s.target_service_level, successor.unique_id AS replaced_by, t.label COLLATE "C" AS trend_label,
            (SELECT date_trunc('month', d.days[1]::timestamp)::date FROM demand d
              WHERE d.organization_id = s.organization_id AND d.series_id = s.id ORDER BY d.year LIMIT 1) AS first_month,
            (SELECT date_trunc('month', d.days[cardinality(d.days)]::timestamp)::date FROM demand d
              WHERE d.organization_id = s.organization_id AND d.series_id = s.id ORDER BY d.year DESC LIMIT 1) AS last_month,
            (SELECT coalesce(sum(${countMonths('d.observed_months')}), 0)::int FROM demand d
              WHERE d.organization_id = s.organization_id AND d.series_id = s.id) AS observations,
            s.created_at, s.updated_at
       FROM series s LEFT JOIN series_trends t ON t.series_id = s.id
       LEFT JOIN successions ON successions.series_id = s.id LEFT JOIN series successor ON successor.id = successions.successor_id
      WHERE s.organization_id = $1 AND ($2::uuid IS NULL OR s.workspace_id = $2)`,
};
