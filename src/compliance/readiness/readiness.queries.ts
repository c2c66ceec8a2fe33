import type { Queryable } from '../../platform/database/database.js';

export interface OrganizationFacts {
  id: string;
  name: string;
  data_region: string | null;
  retention_months: number | null;
  /** Of the audit log, but for sign-ins and sign-outs. */
  events: number;
  last_event_at: Date | null;
}

/**
 * What the checklist of an organization is made from; events are those of its audit log since, the last one that of all
 * times. Events of sessions do not count: whoever reads the checklist has signed in.
 */
export async function readOrganizationFacts(
  db: Queryable,
  organizationId: string,
  since: Date,
): Promise<OrganizationFacts | undefined> {
  const [row] = await db.query<OrganizationFacts>(
    `SELECT o.id, o.name, o.data_region, o.retention_months, log.events, log.last_event_at
     FROM organizations o CROSS JOIN LATERAL (
       SELECT count(*) FILTER (WHERE occurred_at >= $2)::int AS events, max(occurred_at) AS last_event_at FROM audit_events
       WHERE organization_id = o.id AND action NOT LIKE 'session.%') AS log
     WHERE o.id = $1`,
    [organizationId, since],
  );
  return row;
}
