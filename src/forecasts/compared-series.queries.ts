import { one, type Queryable } from '../platform/database/database.js';

/** A series by its id and the identifier it had in the run. */
export interface NamedSeries {
  readonly seriesId: string;
  readonly uniqueId: string;
}

/** Two runs of an organization, whole or for one category. */
export interface ComparedRuns {
  readonly organizationId: string;
  readonly current: string;
  readonly prior: string;
  /** Only series of this category, as it is now. */
  readonly category?: string | undefined;
}

/** Series that both runs forecast, only the current one, or only the prior one. */
type Share = 'common' | 'added' | 'removed';

/** Whether the forecasts of the organization $1 are of series in the category $4, if one is given. */
const IN_CATEGORY = `($4::text IS NULL OR EXISTS (
    SELECT FROM series s WHERE s.organization_id = $1 AND s.id = series_id AND s.category = $4))`;

/** The forecasts `f` of a share, for the organization $1, its current run $2 and the prior one $3. */
const ofShare = (share: Share): string => {
  const [run, other] = share === 'removed' ? ['$3', '$2'] : ['$2', '$3'];
  return `forecasts f WHERE f.organization_id = $1 AND f.run_id = ${run} AND ${share === 'common' ? '' : 'NOT '}EXISTS (
    SELECT FROM forecasts o WHERE o.organization_id = $1 AND o.run_id = ${other} AND o.series_id = f.series_id)
      AND ${IN_CATEGORY}`;
};
const parametersOf = ({ organizationId, current, prior, category }: ComparedRuns) => [
  organizationId,
  current,
  prior,
  category ?? null,
];

/** The number of series in each share, from one snapshot. */
export function countCompared(db: Queryable, runs: ComparedRuns): Promise<Readonly<Record<Share, number>>> {
  const ofRun = (run: string): string =>
    `(SELECT series_id FROM forecasts WHERE organization_id = $1 AND run_id = ${run} AND ${IN_CATEGORY})`;
  return one<Record<Share, number>>(
    db,
    `SELECT count(*) FILTER (WHERE c.series_id = p.series_id)::int AS common,
              count(*) FILTER (WHERE p.series_id IS NULL)::int AS added,
              count(*) FILTER (WHERE c.series_id IS NULL)::int AS removed
         FROM ${ofRun('$2')} AS c FULL JOIN ${ofRun('$3')} AS p ON p.series_id = c.series_id`,
    parametersOf(runs),
  );
}

export interface ComparedSelection {
  /** Only series after this unique_id. */
  readonly after?: string | undefined;
  readonly seriesId?: string | undefined;
  /** If absent, all. */
  readonly limit?: number;
}

/** Series of a share by unique_id. */
export function listCompared(
  db: Queryable,
  runs: ComparedRuns,
  share: Share,
  { after, seriesId, limit }: ComparedSelection = {},
): Promise<NamedSeries[]> {
  return db.query<NamedSeries>(
    `SELECT f.series_id AS "seriesId", f.unique_id AS "uniqueId" FROM ${ofShare(share)}
        AND ($5::text IS NULL OR f.unique_id > $5) AND ($6::uuid IS NULL OR f.series_id = $6)
      ORDER BY f.unique_id LIMIT $7`,
    [...parametersOf(runs), after ?? null, seriesId ?? null, limit ?? null],
  );
}
