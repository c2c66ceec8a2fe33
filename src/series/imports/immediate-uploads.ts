import { Inject, Injectable } from '@nestjs/common';
import type { Settings } from '../../../config/settings.js';
import { holdApiKey, Idempotency, type StoredReply, WorkspaceScope } from '../../access/index.js';
import { Clock } from '../../platform/clock.js';
import { Database } from '../../platform/database/database.js';
import { newId } from '../../platform/ids.js';
import { SETTINGS } from '../../platform/platform.module.js';
import { Slots } from '../../platform/work/slots.js';
import { readMembers } from '../upload/members.js';
import type { UploadFormat } from '../upload/read-upload.js';
import { storeUpload } from '../upload/store/store-upload.js';
import { ImportInstruments } from './import-instruments.js';
import { insertCompletedImport } from './imports.queries.js';
import { digestOf, type IncomingUpload, oncePerKey, recordUpload } from './incoming-upload.js';
import type { UploadBody } from './request-body.js';

/** With fewer connections, a second upload, an import and a run that hold one each would leave none to requests. */
const MIN_POOL_TO_SHARE = 4;

/** Processes small uploads while their clients wait. */
@Injectable()
export class ImmediateUploads {
  /**
   * Limits uploads that hold a database connection while more of their body is still to come: slow clients must not exhaust the connection
   * pool, nor those of one organization, which may take up to an hour, keep out all others.
   */
  private readonly slots: Slots;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly idempotency: Idempotency,
    private readonly workspaces: WorkspaceScope,
    private readonly instruments: ImportInstruments,
    @Inject(SETTINGS) settings: Settings,
  ) {
    const total = Math.max(Math.ceil(settings.DATABASE_POOL / 4), settings.DATABASE_POOL < MIN_POOL_TO_SHARE ? 1 : 2);
    this.slots = new Slots('large uploads', { total, perOrganization: Math.max(1, total - 1) });
  }

  /** @returns 200 with the report @throws {Problem} 400 `invalid_data` with the report, 403, 404, 413 */
  async store(upload: IncomingUpload, format: UploadFormat, body: UploadBody): Promise<StoredReply> {
    const id = newId();
    const now = this.clock.now();
    const { origin, decimal } = upload;
    const stored = await storeUpload(
      this.database,
      {
        format,
        decimal,
        body,
        now,
        target: async (members, tx) => {
          if (upload.idempotency) await holdApiKey(tx, upload.idempotency);
          const { workspaceId, fillZero } = readMembers(members, upload);
          return { tenant: await this.workspaces.resolveOne(upload.caller, workspaceId, tx), fillZero };
        },
        runInSlot: (work) => this.slots.run(upload.caller, work),
      },
      async (tx, target, report) => {
        const { byteCount } = body;
        const digest = digestOf(upload, format, target.tenant, body);
        const record = { id, origin, format, fillZero: target.fillZero, decimal, byteCount, report };
        const reply = await oncePerKey(this.idempotency, tx, { upload, digest }, async () => {
          await insertCompletedImport(tx, target.tenant, record, now);
          return { status: 200, headers: {}, body: { import_id: id, ...report } };
        });
        await recordUpload(tx, upload.caller, target.tenant, { ...record, now });
        return { reply, report };
      },
    );
    this.instruments.completed(stored.report);
    return stored.reply;
  }
}
