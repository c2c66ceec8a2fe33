import { defineEntity, p } from '@mikro-orm/core';
import { organizationReference } from '../access/index.js';
import { instant } from '../platform/database/columns.js';

/** How far the deletion of what is due has come in an organization; whoever deletes a batch notes it here with it. */
export const RetentionSweepEntity = defineEntity({
  name: 'RetentionSweep',
  tableName: 'retention_sweeps',
  properties: {
    organization: organizationReference().primary(),
    /** When the organization is swept next. */
    dueAt: instant(),
    /** Until when the process that sweeps keeps others away; renewed with every batch. */
    leasedUntil: instant().nullable(),
    /** Rows deleted since the last entry in the audit log, by kind. */
    deleted: p.json().defaultRaw(`'{}'`),
    /** Deleted runs, of the last batch, whose forecasts may still be there. */
    pendingRuns: p.array<string>().columnType('uuid[]').defaultRaw(`'{}'`),
    /** When the last sweep had nothing left to delete. */
    finishedAt: instant().nullable(),
  },
});

export const RETENTION_ENTITIES = [RetentionSweepEntity];
