import { one, oneOrNone, type Queryable } from '../../platform/database/database.js';
import type { WorkspaceTenant } from '../../platform/database/scope.js';
import { type OpenItems, openItems } from '../../platform/metrics/backlogs.js';
import type { ImportErrorDto, ImportReportDto } from '../dto/import.dto.js';
import type { DecimalMark } from '../upload/decimal-mark.js';
import type { UploadFormat } from '../upload/read-upload.js';

/** How often an import is begun before it is given up: it may be what crashes the process. */
const MAX_ATTEMPTS = 5;
/** How often a lost connection does not count against an import. Bounded, since the import's size may be what crashes the database. */
const MAX_TIMES_BROKEN_OFF = 10;
/** Minimum time that an import waits for disk space: an operator may have to be found first. */
const MIN_WAIT_FOR_ROOM = `interval '1 day'`;

/** An import whose stored body waits to be processed. */
export interface WaitingImport extends WorkspaceTenant {
  readonly id: string;
  readonly format: UploadFormat;
  readonly fillZero: boolean;
  readonly decimal: DecimalMark | null;
  /** Whether it has lost its connection so often that it may be what crashes the database. */
  readonly breaksOff: boolean;
  /** Whether it has waited longer than {@link MIN_WAIT_FOR_ROOM}. */
  readonly overdue: boolean;
}

/**
 * Takes the waiting import of any tenant that is next in line, counts the attempt and resets its progress. There is no lease: the process
 * keeps the import's row locked in the transaction that stores its demand, so a crash frees it immediately.
 *
 * Imports of one workspace are taken in order, each after the previous one has ended: a later upload replaces the values of an earlier one.
 * Otherwise an import that was begun but has not ended queues behind those accepted by then, so that one that keeps losing its connection
 * does not starve the others, nor they it.
 * @param last ids of imports to take after those of other workspaces
 */
export function takeWaitingImport(db: Queryable, last: Iterable<string>): Promise<WaitingImport | undefined> {
  return oneOrNone<WaitingImport>(
    db,
    `WITH taken AS (
       UPDATE imports SET attempts = attempts + 1, begun_at = clock_timestamp()
       WHERE id = (
         SELECT id FROM imports WHERE state = 'processing' AND attempts < $1
           AND NOT EXISTS (
             SELECT FROM imports AS earlier
             WHERE earlier.workspace_id = imports.workspace_id AND earlier.state = 'processing'
               AND (earlier.created_at, earlier.id) < (imports.created_at, imports.id)
           )
         ORDER BY id = ANY ($2::uuid[]), coalesce(begun_at, created_at), id LIMIT 1 FOR UPDATE SKIP LOCKED
       )
       RETURNING id, organization_id, workspace_id, format, fill, decimal, broken_off, created_at
     ),
     begun AS (
       INSERT INTO import_progress (import_id, organization_id, rows_read) SELECT id, organization_id, 0 FROM taken
       ON CONFLICT (import_id) DO UPDATE SET rows_read = 0
     )
     SELECT id, organization_id AS "organizationId", workspace_id AS "workspaceId", format,
       fill IS NOT DISTINCT FROM 'zero' AS "fillZero", decimal, broken_off >= $3 AS "breaksOff",
       created_at < clock_timestamp() - ${MIN_WAIT_FOR_ROOM} AS overdue
     FROM taken`,
    [MAX_ATTEMPTS, [...last], MAX_TIMES_BROKEN_OFF],
  );
}

/**
 * Takes back the attempt at an import that is waiting again.
 * @param brokenOff whether the connection was lost, which is counted separately
 * @returns false if another process holds the import's lock: waiting for it would block all other imports
 */
export async function returnAttempt(
  db: Queryable,
  { organizationId, id }: WaitingImport,
  brokenOff: boolean,
): Promise<boolean> {
  const { held } = await one<{ held: boolean }>(
    db,
    `WITH counted AS MATERIALIZED (
         SELECT id FROM imports WHERE organization_id = $1 AND id = $2 AND state = 'processing' AND attempts > 0
       ),
       free AS MATERIALIZED (
         SELECT id FROM imports WHERE organization_id = $1 AND id IN (SELECT id FROM counted) FOR NO KEY UPDATE SKIP LOCKED
       ),
       returned AS (
         UPDATE imports SET attempts = attempts - 1, broken_off = broken_off + $3
         WHERE organization_id = $1 AND id IN (SELECT id FROM free) AND state = 'processing' AND attempts > 0
       )
       SELECT EXISTS (SELECT FROM counted) AND NOT EXISTS (SELECT FROM free) AS held`,
    [organizationId, id, Number(brokenOff)],
  );
  return !held;
}

/**
 * Locks the import, and its workspace against deletion, until the transaction ends. It waits for neither, since that would block all other
 * imports: deleting a workspace may take minutes.
 * @returns false if another process has the import, its workspace is being deleted, or it is done
 */
export async function lockImport(tx: Queryable, work: WaitingImport): Promise<boolean> {
  const rows = await tx.query(
    `SELECT import.id FROM imports AS import
     JOIN workspaces AS workspace ON workspace.id = import.workspace_id AND workspace.organization_id = import.organization_id
     WHERE import.organization_id = $1 AND import.workspace_id = $2 AND import.id = $3 AND import.state = 'processing'
       FOR KEY SHARE OF workspace SKIP LOCKED FOR NO KEY UPDATE OF import SKIP LOCKED`,
    [work.organizationId, work.workspaceId, work.id],
  );
  return rows.length === 1;
}

/**
 * Records how far the import has been read, outside the transaction that stores it so that others can see it. A no-op if the import has
 * ended in the meantime.
 */
export async function noteProgress(db: Queryable, work: WaitingImport, rowsRead: number): Promise<void> {
  await db.execute(`UPDATE import_progress SET rows_read = $3 WHERE organization_id = $1 AND import_id = $2`, [
    work.organizationId,
    work.id,
    rowsRead,
  ]);
}

/** The stored body, piece by piece. */
export async function* readChunks(tx: Queryable, work: WaitingImport): AsyncGenerator<Buffer> {
  for (let position = 0; ; position += 1) {
    const row = await oneOrNone<{ bytes: Buffer }>(
      tx,
      `SELECT bytes FROM import_chunks WHERE organization_id = $1 AND import_id = $2 AND position = $3`,
      [work.organizationId, work.id, position],
    );
    if (!row) return;
    yield row.bytes;
  }
}

/** @param stored includes the fill that was applied, which a body may specify after its rows */
export async function completeImport(
  tx: Queryable,
  work: WaitingImport,
  stored: { readonly fillZero: boolean; readonly report: ImportReportDto },
): Promise<void> {
  await tx.execute(
    `UPDATE imports SET state = 'completed', fill = $3, report = $4, finished_at = clock_timestamp()
     WHERE organization_id = $1 AND id = $2`,
    [work.organizationId, work.id, stored.fillZero ? 'zero' : null, JSON.stringify(stored.report)],
  );
  await removeWork(tx, work);
}

export async function failImport(
  tx: Queryable,
  work: WaitingImport,
  error: ImportErrorDto,
  report: ImportReportDto | null,
): Promise<void> {
  await tx.execute(
    `UPDATE imports SET state = 'failed', error = $3, report = $4, finished_at = clock_timestamp()
     WHERE organization_id = $1 AND id = $2 AND state = 'processing'`,
    [work.organizationId, work.id, JSON.stringify(error), report && JSON.stringify(report)],
  );
  await removeWork(tx, work);
}

/** Unfinished imports of all organizations. */
export function countOpenImports(db: Queryable): Promise<OpenItems[]> {
  return db.query<OpenItems>(
    `SELECT state, ${openItems('created_at')}
     FROM imports WHERE state IN ('receiving', 'processing') GROUP BY state`,
  );
}

/**
 * Ends imports that will never finish: those whose body has not arrived within an hour, and those that failed too often.
 * @returns how many
 */
export async function giveUpImports(db: Queryable): Promise<number> {
  const end = async (error: ImportErrorDto, which: string, parameters: readonly unknown[]): Promise<number> => {
    const { count } = await one<{ count: number }>(
      db,
      `WITH ended AS (
         UPDATE imports SET state = 'failed', finished_at = clock_timestamp(), error = $1
         WHERE id IN (SELECT id FROM imports WHERE ${which} FOR UPDATE SKIP LOCKED)
         RETURNING id
       ),
       forgotten AS (DELETE FROM import_progress WHERE import_id IN (SELECT id FROM ended)),
       emptied AS (DELETE FROM import_chunks WHERE import_id IN (SELECT id FROM ended))
       SELECT count(*)::int AS count FROM ended`,
      [JSON.stringify(error), ...parameters],
    );
    return count;
  };
  const incomplete = await end(
    { code: 'body_incomplete', message: 'The upload stopped before its body was complete.' },
    `state = 'receiving' AND created_at < clock_timestamp() - interval '1 hour'`,
    [],
  );
  const hopeless = await end(
    {
      code: 'internal_error',
      message: 'The import could not be processed. Send it again, or split it into smaller uploads.',
    },
    `state = 'processing' AND attempts >= $2`,
    [MAX_ATTEMPTS],
  );
  return incomplete + hopeless;
}

/** Deletes what is no longer needed once the import has ended: its body and its progress. */
async function removeWork(tx: Queryable, work: WaitingImport): Promise<void> {
  for (const table of ['import_chunks', 'import_progress']) {
    await tx.execute(`DELETE FROM ${table} WHERE organization_id = $1 AND import_id = $2`, [
      work.organizationId,
      work.id,
    ]);
  }
}
