import { one, type Queryable } from '../../platform/database/database.js';

/** The latest event of all chains, and the number of chains with an event since. Read from the chain heads, to avoid scanning the log. */
export function latestActivity(db: Queryable, since: Date): Promise<{ latest: Date | null; chains: number }> {
  return one(
    db,
    `SELECT max(e.occurred_at) AS latest, count(*) FILTER (WHERE e.occurred_at >= $1)::int AS chains
       FROM audit_heads h JOIN audit_events e ON e.organization_id = h.organization_id AND e.sequence = h.sequence`,
    [since],
  );
}
