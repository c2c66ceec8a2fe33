/**
 * SQL for the latest run of a workspace, the one that planners work with: the last completed run over all series and all of their
 * demand. A run over selected series (`series`) or the past (`cutoff`) answers a special question and counts only if there is no
 * other.
 * @param condition SQL that names the tenant and one workspace of `runs`, and may restrict further
 * @returns a SELECT of at most one row, which reads no other run: the index `runs_latest` has this order
 */
export const latestRun = (columns: string, condition: string): string =>
  `SELECT ${columns} FROM runs WHERE ${condition} AND runs.status = 'completed'
    ORDER BY (runs.config->>'cutoff' IS NULL AND runs.config->>'series' IS NULL) DESC, runs.finished_at DESC, runs.id DESC LIMIT 1`;
