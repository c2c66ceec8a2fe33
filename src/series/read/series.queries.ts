import { formatMonth } from '../../forecasting/index.js';
import type { Queryable } from '../../platform/database/database.js';
import { fittingRows, type Measured, measuredPage } from '../../platform/database/page-room.js';
import type { Tenant } from '../../platform/database/scope.js';
import type { IdSlice } from '../../platform/http/pagination.js';
import { isId } from '../../platform/ids.js';
import type { SeriesDto } from '../dto/series.dto.js';
import { TARGET_COLUMNS } from '../stock-targets.queries.js';
import { predecessorsOf, successorOf } from '../successions.queries.js';
import { observedSpan } from './observed-span.js';

interface SeriesRow extends Omit<SeriesDto, 'first_month' | 'last_month'> {
  readonly first_month: number | null;
  readonly last_month: number | null;
}

const COLUMNS = `id, unique_id, product_name, category, unit, metadata, important, ${TARGET_COLUMNS}, workspace_id, created_at, updated_at,
  ${successorOf('page.id')} AS replaced_by, ${predecessorsOf('page.id')} AS replaces`;

/** The trend label of the series of `page`, in the organization $1. */
const TREND_LABEL = `(
  SELECT label FROM series_trends WHERE series_trends.organization_id = $1 AND series_trends.series_id = page.id
) AS trend_label`;

/** The series to list; by default all. */
export interface SeriesListFilter {
  readonly uniqueId?: string | undefined;
  readonly category?: string | undefined;
}

/** Series, newest first. Undefined stands for series that do not fit on the page: each may have 100,000 characters of metadata. */
export async function readSeriesPage(
  db: Queryable,
  scope: Tenant,
  filter: SeriesListFilter & IdSlice,
): Promise<readonly (SeriesDto | undefined)[]> {
  // one ordered index range per workspace: an organization has few workspaces, each with possibly many series
  const page = `
       SELECT candidate.*
       FROM workspaces
       CROSS JOIN LATERAL (
         SELECT * FROM series
         WHERE series.workspace_id = workspaces.id AND series.organization_id = $1 AND ($3::uuid IS NULL OR series.id < $3)
           AND ($5::text IS NULL OR series.unique_id = $5) AND ($6::text IS NULL OR series.category = $6)
         ORDER BY series.id DESC LIMIT $4
       ) AS candidate
       WHERE workspaces.organization_id = $1 AND ($2::uuid IS NULL OR workspaces.id = $2)
       ORDER BY candidate.id DESC LIMIT $4`;
  const rows = await db.query<SeriesRow & Measured>(
    `SELECT ${COLUMNS}, fetched, observed.*, ${TREND_LABEL}
     FROM ${measuredPage(page, 'octet_length(metadata::text)')} AS page
     CROSS JOIN LATERAL (${observedSpan('page.id')}) AS observed
     WHERE fits
     ORDER BY page.id DESC`,
    [
      scope.organizationId,
      scope.workspaceId,
      filter.after ?? null,
      filter.limit,
      filter.uniqueId ?? null,
      filter.category ?? null,
    ],
  );
  return fittingRows(rows).map((row) => row && toItem(row));
}

/**
 * At most two series that an id or a unique_id may refer to: first the one with that id, then those with that unique_id, which may exist in
 * several workspaces of the organization.
 */
export async function findSeries(db: Queryable, scope: Tenant, idOrUniqueId: string): Promise<SeriesDto[]> {
  if (idOrUniqueId.includes('\0')) return []; // not valid in PostgreSQL text
  const rows = await db.query<SeriesRow>(
    `SELECT ${COLUMNS}, observed.*, ${TREND_LABEL}
     FROM (
       SELECT *
       FROM series
       WHERE organization_id = $1 AND ($2::uuid IS NULL OR workspace_id = $2) AND (id = $3 OR unique_id = $4)
         AND workspace_id IN (SELECT id FROM workspaces WHERE organization_id = $1)
       ORDER BY (id = $3) IS TRUE DESC, id DESC LIMIT 2
     ) AS page
     CROSS JOIN LATERAL (${observedSpan('page.id')}) AS observed
     ORDER BY (id = $3) IS TRUE DESC, id DESC`,
    [scope.organizationId, scope.workspaceId, isId(idOrUniqueId) ? idOrUniqueId : null, idOrUniqueId],
  );
  return rows.map(toItem);
}

function toItem(row: SeriesRow): SeriesDto {
  const month = (number: number | null): string | null => (number === null ? null : formatMonth(number));
  return { ...row, first_month: month(row.first_month), last_month: month(row.last_month) };
}
