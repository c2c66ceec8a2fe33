import { Injectable } from '@nestjs/common';
import { Idempotency, type StoredReply } from '../../access/index.js';
import { Clock } from '../../platform/clock.js';
import { Database, type Queryable } from '../../platform/database/database.js';
import type { WorkspaceTenant } from '../../platform/database/scope.js';
import { POLL_AFTER_SECONDS } from '../../platform/http/polling.js';
import { Problem } from '../../platform/http/problem.js';
import { newId } from '../../platform/ids.js';
import type { UploadFormat } from '../upload/read-upload.js';
import type { UploadTarget } from '../upload/store-upload.js';
import { ImportRunner } from './import-runner.js';
import { appendChunk, closeImport, findImport, openImport, removeUnclosedImport } from './imports.queries.js';
import { inChunks } from './in-chunks.js';
import { digestOf, type IncomingUpload, oncePerKey, recordUpload } from './incoming-upload.js';
import { longUpload, type UploadBody } from './request-body.js';

/** Bytes of a stored body per row. */
const CHUNK_BYTES = 1_048_576;

/** Stores the bodies of large uploads for later processing. */
@Injectable()
export class DeferredUploads {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly idempotency: Idempotency,
    private readonly runner: ImportRunner,
  ) {}

  /** @returns 202 with the import to poll @throws {Problem} 404, 408 */
  async store(
    upload: IncomingUpload,
    format: UploadFormat,
    { tenant, fillZero }: UploadTarget,
    body: UploadBody,
  ): Promise<StoredReply> {
    const id = newId();
    const { origin, decimal } = upload;
    await openImport(this.database, tenant, { id, origin, format, fillZero, decimal }, this.clock.now());
    try {
      let position = 0;
      for await (const bytes of inChunks(body, CHUNK_BYTES)) {
        const chunk = { importId: id, position: position++, bytes };
        if (!(await appendChunk(this.database, tenant.organizationId, chunk)))
          throw await refusalOf(this.database, tenant, id);
      }
      const reply = await this.database.transaction(async (tx) => {
        const { byteCount } = body;
        const digest = digestOf(upload, format, tenant, body);
        const stored = await oncePerKey(this.idempotency, tx, { upload, digest }, async () => {
          const opened = await closeImport(tx, tenant, id, byteCount);
          if (!opened) throw await refusalOf(tx, tenant, id);
          const location = `${upload.importsPath}/${id}`;
          return { status: 202, headers: { location, 'retry-after': POLL_AFTER_SECONDS }, body: opened };
        });
        await recordUpload(tx, upload.caller, tenant, { id, format, byteCount, occurredAt: this.clock.now() });
        return stored;
      });
      this.runner.wake();
      return reply;
    } catch (error) {
      await removeUnclosedImport(this.database, tenant, id);
      throw error;
    }
  }
}

/** Why an import accepts no more data: its workspace was deleted, or it took too long and was ended (`giveUpImports`). */
async function refusalOf(db: Queryable, tenant: WorkspaceTenant, importId: string): Promise<Problem> {
  if (!(await findImport(db, tenant, importId))) return Problem.notFound('workspace');
  return longUpload();
}
