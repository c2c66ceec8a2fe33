import { type Database, only, type Queryable, type Transaction } from './database.js';

/**
 * Times that pollers can rely on. A poller asks for what came after its last poll. A plain timestamp would make it miss rows: it
 * is taken before its transaction commits, so a poll in between does not see the row, and the next poll asks for later ones
 * only. Here a writer takes the time under an exclusive lock that it holds until it commits, and a reader passes the same lock
 * before it reads. So every row dated before a read is visible to it, and times within an organization follow the order of
 * commits.
 */
const CLASS = 0x504f4c4c;

/**
 * The time to date the transaction's rows by: at least a millisecond after the last one given out in the organization, even
 * after the clock was set back, since pollers go on from the newest time they have seen. A last time that lies more than a day
 * ahead came from a clock that was plainly wrong and is ignored. Call it last: pollers of the organization wait from here until
 * the commit.
 */
export async function publicationTime(tx: Transaction, organizationId: string): Promise<Date> {
  await tx.query('SELECT pg_advisory_xact_lock($1, hashtext($2))', [CLASS, organizationId]);
  // rounded up, since a poller's clock may be cut to milliseconds
  const rows = await tx.query<{ time: Date }>(
    `INSERT INTO publications AS last (organization_id, published_at)
     VALUES ($1, date_trunc('milliseconds', clock_timestamp()) + interval '1 millisecond')
     ON CONFLICT (organization_id) DO UPDATE
       SET published_at = CASE WHEN last.published_at > excluded.published_at + interval '1 day' THEN excluded.published_at
             ELSE greatest(excluded.published_at, last.published_at + interval '1 millisecond') END
     RETURNING published_at AS time`,
    [organizationId],
  );
  return only(rows).time;
}

/** Runs `read` once everything that was dated in the organization up to now is visible to it. */
export function readPublished<T>(
  database: Database,
  organizationId: string,
  read: (db: Queryable) => Promise<T>,
): Promise<T> {
  return database.transaction(async (tx) => {
    await tx.query('SELECT pg_advisory_xact_lock_shared($1, hashtext($2))', [CLASS, organizationId]);
    return read(tx);
  });
}
