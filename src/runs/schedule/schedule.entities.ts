import { defineEntity, p } from '@mikro-orm/core';
import { organizationReference, workspaceReference } from '../../access/organizations/organizations.entities.js';
import { instant, text } from '../../platform/database/columns.js';

/** The monthly run of a workspace, which has at most one schedule. */
export const RunScheduleEntity = defineEntity({
  name: 'RunSchedule',
  tableName: 'run_schedules',
  properties: {
    workspace: workspaceReference().primary(),
    organization: organizationReference(),
    /** Day of the month, 1 to 31; in shorter months, the last day. */
    day: p.smallint(),
    /** Hour of the day, 0 to 23, in local time of the time zone. */
    hour: p.smallint(),
    timeZone: text(),
    configOverrides: p.json(),
    /** When it fires next or is retried. */
    nextRunAt: instant(),
    lastFiredAt: instant().nullable(),
    lastRunId: p.uuid().nullable(),
    /** Why the last firing started no run: code and message. */
    lastError: p.json().nullable(),
    /** Number of consecutive failed firings; they are retried. */
    failures: p.smallint().default(0),
    updatedAt: instant(),
    updatedBy: text(),
  },
  indexes: [{ name: 'run_schedules_due', properties: ['nextRunAt'] }],
});
