import { defineEntity, p } from '@mikro-orm/core';
import { instant, text } from '../../platform/database/columns.js';

/**
 * The audit log: append-only, with a hash chain per organization. No foreign key: it outlives what it records. Events of the
 * platform itself have the nil UUID.
 */
export const AuditEventEntity = defineEntity({
  name: 'AuditEvent',
  tableName: 'audit_events',
  properties: {
    organizationId: p.uuid().primary(),
    /** 1, 2, 3 … within the organization, without gaps. */
    sequence: p.integer().primary(),
    id: p.uuid(),
    occurredAt: instant(),
    actorKind: text(),
    actorId: p.uuid().nullable(),
    actorName: text(),
    action: text(),
    targetKind: text(),
    targetId: text(),
    details: p.json(),
    address: text().nullable(),
    previousHash: p.blob(),
    hash: p.blob(),
  },
  indexes: [
    { name: 'audit_events_action', properties: ['organizationId', 'action', 'sequence'] },
    { name: 'audit_events_actor', properties: ['organizationId', 'actorId', 'sequence'] },
    { name: 'audit_events_target', properties: ['organizationId', 'targetId', 'sequence'] },
    { name: 'audit_events_time', properties: ['organizationId', 'occurredAt'] },
  ],
  triggers: [
    {
      name: 'audit_events_append_only',
      timing: 'before',
      events: ['update', 'delete', 'truncate'],
      // created by the migration; named here so that the drift check ignores it
      expression:
        'CREATE TRIGGER audit_events_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_events FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change()',
    },
  ],
});

/** Last event of each chain: the next one links to it, and it reveals if events were cut off the end. */
export const AuditHeadEntity = defineEntity({
  name: 'AuditHead',
  tableName: 'audit_heads',
  properties: { organizationId: p.uuid().primary(), sequence: p.integer(), hash: p.blob() },
});
