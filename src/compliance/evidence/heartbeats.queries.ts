import { one, type Queryable } from '../../platform/database/database.js';
import { MINUTE_MS } from '../../platform/durations.js';

/** Heartbeats are stored by the minute: half a million in total, about 40 MB with their index. */
export const SLOT_MS = MINUTE_MS;
/** Days that heartbeats and evidence are kept: a year, the longest window of a type II report, plus some time to write it. */
export const HISTORY_DAYS = 400;

/** The beginning of the minute that contains an instant. */
export const slotOf = (instant: Date): Date => new Date(Math.floor(instant.getTime() / SLOT_MS) * SLOT_MS);

/** Records that a process was ready. Several in the same minute count once. */
export async function beat(db: Queryable, now: Date): Promise<void> {
  await db.execute(`INSERT INTO compliance_heartbeats (slot) VALUES ($1) ON CONFLICT DO NOTHING`, [slotOf(now)]);
}

/** The first heartbeat of all, and the number of minutes with one from `from` up to but not including `until`. */
export function readHeartbeats(db: Queryable, from: Date, until: Date): Promise<{ first: Date | null; slots: number }> {
  return one(
    db,
    `SELECT (SELECT min(slot) FROM compliance_heartbeats) AS first,
              (SELECT count(*)::int FROM compliance_heartbeats WHERE slot >= $1 AND slot < $2) AS slots`,
    [slotOf(from), until],
  );
}

export function deleteOldHeartbeats(db: Queryable, now: Date): Promise<number> {
  return db.execute(
    `DELETE FROM compliance_heartbeats WHERE slot < $1::timestamptz - make_interval(days => ${HISTORY_DAYS})`,
    [now],
  );
}
