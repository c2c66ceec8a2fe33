import { type Database, only, type Queryable, type Transaction } from './database.js';

/**
 * Times that pollers can rely on. A poller asks for what came after its last poll. A plain timestamp fails it: it is taken
 * before its transaction commits, so a poll in between sees nothing, and the next one asks only for what is later. Here a
 * writer takes its time under an exclusive lock that it holds until it commits, and a reader passes the same lock before it
 * looks. So whatever carries a time up to the moment of the look is visible to it, and times within an organization follow
 * the order of the commits.
 */
const CLASS = 0x504f4c4c;

/**
 * The time at which what the transaction writes is published, later by at least a millisecond than any published before in
 * the organization, also after the clock was set back: a poller that goes on from the newest time it has seen would miss
 * what is dated before. Only a time more than a day ahead is not kept up with: it is of a clock that was plainly wrong. Take
 * it last: pollers of the organization wait from here until the commit.
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

/** Runs `read` when everything published in the organization up to now is visible to it. */
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
