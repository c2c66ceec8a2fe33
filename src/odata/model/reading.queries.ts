/**
 * The WITH clause of every statement: `reading` tells as of when its rows are read ($3). Null on the first page, which is read as of the
 * latest completed run that it sees; further pages repeat that, since a run that completes in between would have its months counted
 * besides those of the run before it. Completed runs become visible in the order of `finished_at`.
 */
export const WITH_READING = `WITH reading AS (
  SELECT coalesce($3::timestamptz,
                  (SELECT finished_at FROM runs
                    WHERE organization_id = $1 AND ($2::uuid IS NULL OR workspace_id = $2) AND status = 'completed'
                    ORDER BY finished_at DESC NULLS LAST LIMIT 1),
                  '-infinity') AS as_of)`;

export const AS_OF = '(SELECT as_of FROM reading)';
