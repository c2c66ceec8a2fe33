/**
 * The latest run of a workspace, which planners go by: the last completed one of all series with all their demand. A run of chosen
 * series (`series`) or of the past (`cutoff`) answers a question of its own; it is the latest only where there is no other.
 * @param condition names the tenant and one workspace of `runs`, and may ask for more
 * @returns a SELECT of one row at most, which reads no other run: the index `runs_latest` has this order
 */
export const latestRun = (columns: string, condition: string): string =>
  `SELECT ${columns} FROM runs WHERE ${condition} AND runs.status = 'completed'
    ORDER BY (runs.config->>'cutoff' IS NULL AND runs.config->>'series' IS NULL) DESC, runs.finished_at DESC, runs.id DESC LIMIT 1`;
