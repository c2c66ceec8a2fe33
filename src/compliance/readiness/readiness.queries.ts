import { oneOrNone, type Queryable } from '../../platform/database/database.js';

export interface OrganizationFacts {
  id: string;
  name: string;
  dataRegion: string | null;
  retentionMonths: number | null;
  /** Events in the audit log, except for sign-ins and sign-outs. */
  events: number;
  lastEventAt: Date | null;
}

/**
 * The facts behind an organization's checklist; events are those in its audit log since then, the last one that of all time. Session events
 * do not count: whoever reads the checklist has signed in.
 */
export function readOrganizationFacts(
  db: Queryable,
  organizationId: string,
  since: Date,
): Promise<OrganizationFacts | undefined> {
  return oneOrNone<OrganizationFacts>(
    db,
    `SELECT o.id, o.name, o.data_region AS "dataRegion", o.retention_months AS "retentionMonths", recent.events,
            newest.occurred_at AS "lastEventAt"
     FROM organizations o CROSS JOIN LATERAL (
       SELECT count(*)::int AS events FROM audit_events
       WHERE organization_id = $1 AND occurred_at >= $2 AND action NOT LIKE 'session.%') AS recent
     LEFT JOIN LATERAL (
       SELECT occurred_at FROM audit_events
       WHERE organization_id = $1 AND action NOT LIKE 'session.%' ORDER BY occurred_at DESC LIMIT 1) AS newest ON true
     WHERE o.id = $1`,
    [organizationId, since],
  );
}
