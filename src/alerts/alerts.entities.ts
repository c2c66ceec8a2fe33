import { defineEntity, p } from '@mikro-orm/core';
import { organizationReference, workspaceReference } from '../access/organizations/organizations.entities.js';
import { instant, text } from '../platform/database/columns.js';
import { seriesReference } from '../series/series.entities.js';

/** A shift in the demand of a series, found by a run; reported once, however many runs find it again. */
export const AlertEntity = defineEntity({
  name: 'Alert',
  tableName: 'alerts',
  properties: {
    id: p.uuid().primary(),
    organization: organizationReference(),
    workspace: workspaceReference(),
    series: seriesReference(),
    kind: text(),
    severity: text(),
    message: text(),
    changePercent: p.double(),
    /** First day of the month that the alert is about. */
    period: p.date(),
    runId: p.uuid(),
    /** When its run finished (platform/database/publication.ts). */
    createdAt: instant(),
    readAt: instant().nullable(),
  },
  uniques: [{ name: 'alerts_once', properties: ['series', 'kind', 'period'] }],
  indexes: [
    { name: 'alerts_listing', properties: ['organization', 'createdAt', 'id'] },
    { name: 'alerts_run', properties: ['runId'] },
    { name: 'alerts_workspace', properties: ['workspace', 'createdAt', 'id'] },
    { name: 'alerts_unread', properties: ['organization', 'createdAt', 'id'], where: 'read_at IS NULL' },
    { name: 'alerts_unread_workspace', properties: ['workspace', 'createdAt', 'id'], where: 'read_at IS NULL' },
  ],
});

export const ALERT_ENTITIES = [AlertEntity];
