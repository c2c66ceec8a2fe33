import { only, type Queryable } from '../../platform/database/database.js';

/** The last event of all chains, and chains with an event since. By the heads, so that the log is not read through. */
export async function latestActivity(db: Queryable, since: Date): Promise<{ latest: Date | null; chains: number }> {
  return only(
    await db.query(
      `SELECT max(e.occurred_at) AS latest, count(*) FILTER (WHERE e.occurred_at >= $1)::int AS chains
       FROM audit_heads h JOIN audit_events e ON e.organization_id = h.organization_id AND e.sequence = h.sequence`,
      [since],
    ),
  );
}
