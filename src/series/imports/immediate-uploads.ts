import { Inject, Injectable } from '@nestjs/common';
import type { Settings } from '../../../config/settings.js';
import { Idempotency, type StoredReply, WorkspaceScope } from '../../access/index.js';
import { Clock } from '../../platform/clock.js';
import { Database } from '../../platform/database/database.js';
import { newId } from '../../platform/ids.js';
import { SETTINGS } from '../../platform/platform.module.js';
import { Slots } from '../../platform/work/slots.js';
import { readMembers } from '../upload/members.js';
import { storeUpload } from '../upload/store/store-upload.js';
import { ImportInstruments } from './import-instruments.js';
import { insertCompletedImport } from './imports.queries.js';
import { type AcceptedUpload, oncePerKey, recordUpload } from './incoming-upload.js';

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
  async store(upload: AcceptedUpload): Promise<StoredReply> {
    const id = newId();
    const now = this.clock.now();
    const { caller, origin, format, decimal, body } = upload;
    const runInSlot = <Result>(work: () => Promise<Result>) => this.slots.run(caller, work);
    const source = { format, decimal, body, now, runInSlot };
    const stored = await storeUpload(this.database, source, async (tx, members, merge) => {
      const { workspaceId, fillZero } = readMembers(members, upload);
      const tenant = await this.workspaces.resolveOne(caller, workspaceId, tx);
      return oncePerKey(this.idempotency, tx, { ...upload, tenant }, async () => {
        const report = await merge({ tenant, fillZero });
        const record = { id, origin, format, fillZero, decimal, byteCount: body.byteCount, report };
        await insertCompletedImport(tx, tenant, record, now);
        await recordUpload(tx, caller, tenant, { ...record, now });
        return { status: 200, headers: {}, body: { import_id: id, ...report } };
      });
    });
    this.instruments.completed(stored.body);
    return stored;
  }
}
