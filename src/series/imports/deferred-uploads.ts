import { Inject, Injectable } from '@nestjs/common';
import type { Settings } from '../../../config/settings.js';
import { Idempotency, type StoredReply } from '../../access/index.js';
import { Clock } from '../../platform/clock.js';
import { Database, type Queryable } from '../../platform/database/database.js';
import type { WorkspaceTenant } from '../../platform/database/scope.js';
import { POLL_AFTER_SECONDS } from '../../platform/http/replies/polling.js';
import { Problem } from '../../platform/http/problem.js';
import { newId } from '../../platform/ids.js';
import { SETTINGS } from '../../platform/platform.module.js';
import type { UploadTarget } from '../upload/store/store-upload.js';
import { ImportRunner } from './import-runner.js';
import { appendChunk, closeImport, findImport, openImport, removeUnclosedImport } from './imports.queries.js';
import { inChunks } from './in-chunks.js';
import { type AcceptedUpload, oncePerKey, recordUpload } from './incoming-upload.js';
import { longUpload } from './request-body.js';

/** Bytes of a stored body per row. */
const CHUNK_BYTES = 1_048_576;
/** How many bodies of the maximum size an organization may have waiting: they arrive compressed, and are stored as they will be read. */
const MAX_WAITING_BODIES = 4;

/** Stores the bodies of large uploads for later processing. */
@Injectable()
export class DeferredUploads {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly idempotency: Idempotency,
    private readonly runner: ImportRunner,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** @returns 202 with the import to poll @throws {Problem} 404, 408; 429 while too much of the organization waits */
  async store(upload: AcceptedUpload, { tenant, fillZero }: UploadTarget): Promise<StoredReply> {
    const id = newId();
    const { origin, format, decimal, body } = upload;
    const maxChunks = MAX_WAITING_BODIES * this.settings.MAX_UPLOAD_MB;
    await openImport(this.database, tenant, { id, origin, format, fillZero, decimal }, this.clock.now());
    try {
      let position = 0;
      for await (const bytes of inChunks(body, CHUNK_BYTES)) {
        const chunk = { importId: id, position: position++, bytes };
        if (!(await appendChunk(this.database, tenant.organizationId, chunk, maxChunks)))
          throw await refusalOf(this.database, tenant, id);
      }
      const reply = await this.database.transaction(async (tx) => {
        const { byteCount } = body;
        const stored = await oncePerKey(this.idempotency, tx, upload, async () => {
          const opened = await closeImport(tx, tenant, { importId: id, byteCount, maxChunks });
          if (!opened) throw await refusalOf(tx, tenant, id);
          const location = `${upload.importsPath}/${id}`;
          return { status: 202, headers: { location, 'retry-after': POLL_AFTER_SECONDS }, body: opened };
        });
        await recordUpload(tx, upload.caller, tenant, { id, format, byteCount, now: this.clock.now() });
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

/**
 * Why an import accepts no more data: its workspace was deleted, it took too long and was ended (`giveUpImports`), or too much is waiting
 * already.
 */
async function refusalOf(db: Queryable, tenant: WorkspaceTenant, importId: string): Promise<Problem> {
  const opened = await findImport(db, tenant, importId);
  if (!opened) return Problem.notFound('workspace');
  return opened.state === 'receiving' ? tooMuchWaiting() : longUpload();
}

const tooMuchWaiting = (): Problem =>
  Problem.tooMany(
    60,
    'Too many large uploads of the organization are waiting to be processed. Send this one again once some of them have ended.',
  );
