import { type Database, one, type Queryable, type Transaction } from './database.js';

/**
 * Times that pollers can rely on. A poller asks for what came after its last poll. With a plain timestamp it would miss rows: the
 * timestamp is taken before its transaction commits, so a poll in between does not see the row, and the next poll only asks for
 * later ones. Here a writer takes the time under an exclusive lock that it holds until it commits, and a reader passes through the
 * same lock before it reads. So every row dated before a read is visible to it, and times within an organization follow commit
 * order.
 */
const CLASS = 0x504f4c4c;

/**
 * The time to stamp the transaction's rows with: at least a millisecond after the last one issued in the organization, even if the
 * clock was set back, since pollers continue from the newest time they have seen. A last time more than a day ahead came from a
 * clock that was plainly wrong and is ignored. Call it last: from here until the commit, the organization's pollers wait.
 */
export async function publicationTime(tx: Transaction, organizationId: string): Promise<Date> {
  await tx.query('SELECT pg_advisory_xact_lock($1, hashtext($2))', [CLASS, organizationId]);
  // rounded up, since a poller may truncate its clock to milliseconds
  const { time } = await one<{ time: Date }>(
    tx,
    `INSERT INTO publications AS last (organization_id, published_at)
     VALUES ($1, date_trunc('milliseconds', clock_timestamp()) + interval '1 millisecond')
     ON CONFLICT (organization_id) DO UPDATE
       SET published_at = CASE WHEN last.published_at > excluded.published_at + interval '1 day' THEN excluded.published_at
             ELSE greatest(excluded.published_at, last.published_at + interval '1 millisecond') END
     RETURNING published_at AS time`,
    [organizationId],
  );
  return time;
}

/** Runs `read` once everything that was stamped in the organization so far is visible to it. */
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
