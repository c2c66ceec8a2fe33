import type { Queryable } from '../../platform/database/database.js';
import { type OpenItems, openItems } from '../../platform/metrics/backlogs.js';

// The backlog of work across all organizations: for operators.

/** Runs that have not ended. */
export function countOpenRuns(db: Queryable): Promise<OpenItems[]> {
  return db.query<OpenItems>(
    `SELECT status AS state, ${openItems('created_at')}
       FROM runs WHERE status IN ('queued', 'running') GROUP BY status`,
  );
}

/** Unfinished chunks: `leased` while a worker holds them. Their age is that of their run. */
export function countOpenChunks(db: Queryable): Promise<OpenItems[]> {
  return db.query<OpenItems>(
    `SELECT CASE WHEN chunk.lease_expires_at > clock_timestamp() THEN 'leased' ELSE 'waiting' END AS state,
            ${openItems('run.created_at')}
       FROM run_chunks AS chunk JOIN runs AS run ON run.id = chunk.run_id AND run.status = 'running'
      WHERE NOT chunk.done GROUP BY 1`,
  );
}
