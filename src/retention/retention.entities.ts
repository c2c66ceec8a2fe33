import { defineEntity, p } from '@mikro-orm/core';
import { organizationReference } from '../access/organizations/organizations.entities.js';
import { instant } from '../platform/database/columns.js';

/** Progress of an organization's sweep; every batch is recorded here in the transaction that deletes it. */
export const RetentionSweepEntity = defineEntity({
  name: 'RetentionSweep',
  tableName: 'retention_sweeps',
  properties: {
    organization: organizationReference().primary(),
    /** When the organization is due for its next sweep. */
    dueAt: instant(),
    /** End of the sweeping process's lease; renewed with every batch. */
    leasedUntil: instant().nullable(),
    /** Rows deleted since the last audit log entry, by kind. */
    deleted: p.json().defaultRaw(`'{}'`),
    /** Runs deleted in the last batch whose forecasts may still exist. */
    pendingRuns: p.array<string>().columnType('uuid[]').defaultRaw(`'{}'`),
    /** When the last sweep had nothing left to delete. */
    finishedAt: instant().nullable(),
  },
});

export const RETENTION_ENTITIES = [RetentionSweepEntity];
