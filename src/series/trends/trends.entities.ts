import { defineEntity, p } from '@mikro-orm/core';
import { organizationReference, workspaceReference } from '../../access/organizations/organizations.entities.js';
import { instant, text } from '../../platform/database/columns.js';
import { seriesReference } from '../series.entities.js';

/** The trend of a series, as assessed by its runs so far. */
export const SeriesTrendEntity = defineEntity({
  name: 'SeriesTrend',
  tableName: 'series_trends',
  properties: {
    series: seriesReference().primary(),
    /** The series'. No foreign key of its own, so that each row of a run costs one check instead of three. */
    organizationId: p.uuid(),
    workspaceId: p.uuid(),
    /** The published label. */
    label: text(),
    /** The label assessed by the latest run; it becomes `label` if the next run agrees. */
    candidate: text(),
    /** Latest month assessed by a run (12 * year + month - 1); runs over older data change nothing. */
    month: p.integer(),
  },
});

/** One change of a series' label, as delivered by the polling trigger. */
export const TrendChangeEntity = defineEntity({
  name: 'TrendChange',
  tableName: 'trend_changes',
  properties: {
    id: p.uuid().primary(),
    organization: organizationReference(),
    workspace: workspaceReference(),
    series: seriesReference(),
    previousLabel: text(),
    label: text(),
    runId: p.uuid(),
    changedAt: instant(),
  },
  indexes: [
    { name: 'trend_changes_listing', properties: ['organization', 'changedAt', 'id'] },
    { name: 'trend_changes_series', properties: ['series', 'changedAt'] },
    { name: 'trend_changes_run', properties: ['runId'] },
    { name: 'trend_changes_workspace', properties: ['workspace', 'changedAt', 'id'] },
  ],
});

export const TREND_ENTITIES = [SeriesTrendEntity, TrendChangeEntity];
