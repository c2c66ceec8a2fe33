import { oneOrNone, type Queryable, type Transaction } from '../../platform/database/database.js';
import type { Tenant, WorkspaceTenant } from '../../platform/database/scope.js';
import { serialize } from '../../platform/database/serialize.js';
import type { IdSlice } from '../../platform/http/pagination.js';
import type { ImportDto, ImportReportDto } from '../dto/import.dto.js';
import type { DecimalMark } from '../upload/decimal-mark.js';
import type { UploadFormat } from '../upload/read-upload.js';
import { holdWorkspace } from '../workspace-locks.queries.js';

export interface NewImport {
  readonly id: string;
  readonly origin: 'api' | 'app';
  readonly format: UploadFormat;
  readonly fillZero: boolean;
  readonly decimal: DecimalMark | undefined;
}

const COLUMNS = `id, workspace_id, state, state AS status, origin, format, fill, decimal, coalesce((report->>'rows')::int, (
    SELECT rows_read FROM import_progress AS progress
    WHERE progress.organization_id = imports.organization_id AND progress.import_id = imports.id
  ), 0) AS rows_read, report, error, created_at, finished_at`;

/** Records an upload that was processed while its client waited. */
export async function insertCompletedImport(
  tx: Queryable,
  tenant: WorkspaceTenant,
  upload: NewImport & { readonly byteCount: number; readonly report: ImportReportDto },
  createdAt: Date,
): Promise<void> {
  await tx.execute(
    `INSERT INTO imports
       (id, organization_id, workspace_id, state, origin, format, fill, decimal, byte_count, report, created_at, finished_at)
     VALUES ($1, $2, $3, 'completed', $4, $5, $6, $7, $8, $9, $10, clock_timestamp())`,
    [...identity(tenant, upload), upload.byteCount, JSON.stringify(upload.report), createdAt],
  );
}

/** Opens an import whose body is stored first and processed later. */
export async function openImport(db: Queryable, tenant: WorkspaceTenant, upload: NewImport, now: Date): Promise<void> {
  await db.execute(
    `INSERT INTO imports (id, organization_id, workspace_id, state, origin, format, fill, decimal, created_at)
     VALUES ($1, $2, $3, 'receiving', $4, $5, $6, $7, $8)`,
    [...identity(tenant, upload), now],
  );
}

/**
 * SQL condition about the chunks of the unfinished imports of the organization ($1). Those that an import has to fit beside (`ahead`) are its
 * own ($2), those of imports that wait and those of earlier ones that are still arriving: of several at once, the first ones get in.
 */
const hasRoom = (condition: string): string => `(
    SELECT ${condition} FROM (
      SELECT count(*) AS unfinished, count(*) FILTER (WHERE other.state = 'processing' OR other.id <= $2) AS ahead
      FROM import_chunks AS chunk JOIN imports AS other ON other.id = chunk.import_id
      WHERE chunk.organization_id = $1 AND other.organization_id = $1
    ) AS chunks)`;

/**
 * @param maxChunks that may wait; as many again may be arriving
 * @returns false if the import accepts no more data: it was given up, deleted with its workspace, or there are too many chunks
 */
export async function appendChunk(
  db: Queryable,
  organizationId: string,
  { importId, position, bytes }: { readonly importId: string; readonly position: number; readonly bytes: Buffer },
  maxChunks: number,
): Promise<boolean> {
  const appended = await db.execute(
    `INSERT INTO import_chunks (import_id, position, organization_id, bytes)
     SELECT id, $3, organization_id, $4 FROM imports WHERE organization_id = $1 AND id = $2 AND state = 'receiving'
       AND ${hasRoom('ahead < $5 AND unfinished < 2 * $5')}`,
    [organizationId, importId, position, bytes, maxChunks],
  );
  return appended === 1;
}

/**
 * Lets the uploads of an organization end one after the other: of several that end at once, each would find the others unclosed. The
 * workspace is held first, since its deletion locks its imports for minutes, for which the uploads into others would wait.
 */
async function takeTurn(tx: Transaction, tenant: WorkspaceTenant): Promise<void> {
  await holdWorkspace(tx, tenant);
  await serialize(tx, `uploads ${tenant.organizationId}`);
}

/**
 * Marks the body as completely stored: from here on the import survives a crash, and it dates from now, since a later upload replaces the
 * values of an earlier one and a small one overtakes a large one on its way.
 * @param maxChunks as of {@link appendChunk}, which concurrent calls may each have found room for
 * @returns undefined if the import was given up, or deleted with its workspace, or there are too many chunks
 */
export async function closeImport(
  tx: Transaction,
  tenant: WorkspaceTenant,
  {
    importId,
    byteCount,
    maxChunks,
  }: { readonly importId: string; readonly byteCount: number; readonly maxChunks: number },
): Promise<ImportDto | undefined> {
  await takeTurn(tx, tenant);
  return oneOrNone<ImportDto>(
    tx,
    `UPDATE imports SET state = 'processing', byte_count = $3, created_at = clock_timestamp()
     WHERE organization_id = $1 AND id = $2 AND workspace_id = $4 AND state = 'receiving' AND ${hasRoom('ahead <= $5')}
     RETURNING ${COLUMNS}`,
    [tenant.organizationId, importId, byteCount, tenant.workspaceId, maxChunks],
  );
}

/** Deletes an import unless its body is completely stored: the transaction that closed it may have committed without our knowledge. */
export async function removeUnclosedImport(db: Queryable, tenant: WorkspaceTenant, importId: string): Promise<void> {
  await db.execute(
    `DELETE FROM imports WHERE organization_id = $1 AND workspace_id = $2 AND id = $3
       AND (state = 'receiving' OR state = 'failed' AND byte_count = 0)`,
    [tenant.organizationId, tenant.workspaceId, importId],
  );
}

export function findImport(db: Queryable, scope: Tenant, importId: string): Promise<ImportDto | undefined> {
  return oneOrNone<ImportDto>(
    db,
    `SELECT ${COLUMNS} FROM imports
     WHERE organization_id = $1 AND ($2::uuid IS NULL OR workspace_id = $2) AND id = $3`,
    [scope.organizationId, scope.workspaceId, importId],
  );
}

/** A page of imports, newest first. */
export async function listImports(
  db: Queryable,
  tenant: WorkspaceTenant,
  slice: IdSlice,
): Promise<readonly ImportDto[]> {
  return db.query(
    `SELECT ${COLUMNS} FROM imports
     WHERE organization_id = $1 AND workspace_id = $2 AND ($3::uuid IS NULL OR id < $3)
     ORDER BY id DESC LIMIT $4`,
    [tenant.organizationId, tenant.workspaceId, slice.after ?? null, slice.limit],
  );
}

function identity(tenant: WorkspaceTenant, upload: NewImport): unknown[] {
  const fill = upload.fillZero ? 'zero' : null;
  return [
    upload.id,
    tenant.organizationId,
    tenant.workspaceId,
    upload.origin,
    upload.format,
    fill,
    upload.decimal ?? null,
  ];
}
