import { Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Settings } from '../../../config/settings.js';
import { type ApiCaller, Idempotency, recordAuditBy, type StoredReply, type TenantCaller } from '../../access/index.js';
import { Clock } from '../../platform/clock.js';
import { Database, type Queryable, type Transaction } from '../../platform/database/database.js';
import type { WorkspaceTenant } from '../../platform/database/scope.js';
import { POLL_AFTER_SECONDS } from '../../platform/http/polling.js';
import { Problem } from '../../platform/http/problem.js';
import { newId } from '../../platform/ids.js';
import { SETTINGS } from '../../platform/platform.module.js';
import { Slots } from '../../platform/slots.js';
import type { DecimalMark } from '../upload/decimal-mark.js';
import { latestDay } from '../upload/demand-day.js';
import { readMembers, type Fill } from '../upload/members.js';
import { membersAhead, type UploadFormat } from '../upload/read-upload.js';
import { storeUpload, type UploadTarget } from '../upload/store-upload.js';
import { ImportInstruments } from './import-instruments.js';
import { ImportRunner } from './import-runner.js';
import {
  appendChunk,
  closeImport,
  findImport,
  insertCompletedImport,
  openImport,
  removeUnclosedImport,
} from './imports.queries.js';
import { inChunks } from './in-chunks.js';
import { UploadBody, uploadFormat } from './request-body.js';

const MEGABYTE = 1_048_576;
/** Bytes of a stored body in one row. */
const CHUNK_BYTES = MEGABYTE;

export interface IncomingUpload {
  readonly request: FastifyRequest;
  /** Who sends it. */
  readonly caller: TenantCaller;
  readonly origin: 'api' | 'app';
  /** From the query. A JSON body may hold both instead. */
  readonly workspaceId: string | undefined;
  readonly fill: Fill | undefined;
  /** Decimal mark of a CSV file. */
  readonly decimal: DecimalMark | undefined;
  /** Checks that the caller may write to the workspace, or finds the one the key is bound to. */
  resolve(workspaceId: string | undefined, db?: Queryable): Promise<WorkspaceTenant>;
  /** The workspace where none is named; null where one must be named. */
  readonly boundWorkspaceId: string | null;
  readonly idempotency?: { readonly caller: ApiCaller; readonly key: string } | undefined;
  /** Path under which the import is polled, without its id. */
  readonly importsPath: string;
}

/** Thrown to roll back a repeated request, whose first reply is sent again. */
class Replay extends Error {
  constructor(readonly reply: StoredReply) {
    super('replayed');
  }
}

/** Accepts uploads over HTTP. Small ones are processed while the sender waits (200), large ones are stored and processed later (202). */
@Injectable()
export class UploadsService {
  /**
   * Limits uploads that hold a database connection while more of their body is still to come: slow senders must not use up the
   * connections of everybody else.
   */
  private readonly slots: Slots;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly idempotency: Idempotency,
    private readonly runner: ImportRunner,
    private readonly instruments: ImportInstruments,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {
    const busy = 'The service is busy with other large uploads. Repeat this one later, or send it in parts.';
    this.slots = new Slots(Math.ceil(settings.DATABASE_POOL / 4), busy);
  }

  /** @throws {Problem} 400 `invalid_data` with the report, 403, 404, 413, 415 */
  async receive(upload: IncomingUpload): Promise<StoredReply & { readonly replayed?: boolean }> {
    const format = uploadFormat(upload.request);
    if (format !== 'csv' && upload.decimal !== undefined) {
      throw Problem.invalid([{ param: 'decimal', message: 'is for CSV; numbers of JSON always have a decimal point' }]);
    }
    // a JSON body may name its workspace; every other upload is refused before its body is read
    const named = upload.workspaceId !== undefined || upload.boundWorkspaceId !== null || format !== 'json';
    const tenant = named ? await upload.resolve(upload.workspaceId) : undefined;
    const body = new UploadBody(upload.request, this.settings.MAX_UPLOAD_MB * MEGABYTE);
    try {
      if (this.isLarge(upload.request, body)) {
        const known = tenant && { tenant, fillZero: upload.fill === 'zero' };
        const target = format === 'json' ? await this.targetAhead(upload, tenant, body) : known;
        if (target) return await this.defer(upload, format, target, body);
      }
      return await this.storeNow(upload, format, body);
    } catch (error) {
      body.discard();
      if (error instanceof Replay) return { ...error.reply, replayed: true };
      throw error;
    }
  }

  /**
   * Workspace and fill of a JSON body by its members ahead of `rows`; undefined where they do not name the workspace.
   * @throws {Problem} as {@link receive}
   */
  private async targetAhead(
    upload: IncomingUpload,
    named: WorkspaceTenant | undefined,
    body: UploadBody,
  ): Promise<UploadTarget | undefined> {
    const members = membersAhead(await body.peek(), latestDay(this.clock.now()));
    const { workspaceId, fillZero } = readMembers(members, upload);
    const tenant = workspaceId === undefined ? named : await upload.resolve(workspaceId);
    return tenant && { tenant, fillZero };
  }

  private isLarge(request: FastifyRequest, body: UploadBody): boolean {
    const preferred = /(^|[,\s])respond-async([,;\s]|$)/i.test(String(request.headers['prefer'] ?? ''));
    return preferred || body.announced > this.settings.ASYNC_UPLOAD_MB * MEGABYTE;
  }

  private async storeNow(upload: IncomingUpload, format: UploadFormat, body: UploadBody): Promise<StoredReply> {
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
          if (upload.idempotency) await this.idempotency.hold(tx, upload.idempotency.caller);
          return targetOf(upload, members, tx);
        },
        inTurn: (work) => this.slots.run(work),
      },
      async (tx, target, report) => {
        const { byteCount } = body;
        const record = { id, origin, format, fillZero: target.fillZero, decimal, byteCount, report };
        const reply = await this.once(tx, upload, digestOf(upload, format, target.tenant, body), async () => {
          await insertCompletedImport(tx, target.tenant, record, now);
          return { status: 200, headers: {}, body: { import_id: id, ...report } };
        });
        await recordUpload(tx, upload.caller, target.tenant, { ...record, occurredAt: now });
        return { reply, report };
      },
    );
    this.instruments.completed(stored.report);
    return stored.reply;
  }

  private async defer(
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
        const stored = await this.once(tx, upload, digestOf(upload, format, tenant, body), async () => {
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

  /** Does the work that an Idempotency-Key stands for, and keeps its reply. @throws {Replay} where that was done before */
  private async once(
    tx: Transaction,
    { idempotency }: IncomingUpload,
    digest: Buffer,
    work: () => Promise<StoredReply>,
  ): Promise<StoredReply> {
    if (!idempotency) return work();
    const known = await this.idempotency.take(tx, idempotency.caller, idempotency.key, digest);
    if (known) throw new Replay(known);
    const reply = await work();
    await this.idempotency.complete(tx, idempotency.caller, idempotency.key, reply);
    return reply;
  }
}

/** Why an import accepts no more bytes: its workspace was deleted, or it took too long and was ended (`giveUpImports`). */
async function refusalOf(db: Queryable, tenant: WorkspaceTenant, importId: string): Promise<Problem> {
  if (!(await findImport(db, tenant, importId))) return Problem.notFound('workspace');
  return new Problem(408, 'request_timeout', 'The upload took more than an hour to arrive; send it again, in parts.');
}

/** By it a repeated upload is known. The fill that a body names counts as its bytes: behind the rows it may not be read yet. */
function digestOf(
  { fill, decimal }: IncomingUpload,
  format: UploadFormat,
  tenant: WorkspaceTenant,
  body: UploadBody,
): Buffer {
  return body.digest(format, { tenant, fillZero: fill === 'zero', decimal });
}

/** Workspace and fill of the upload, by its query and, for JSON, by the members of its body. */
async function targetOf(
  upload: IncomingUpload,
  members: Readonly<Record<string, unknown>>,
  tx: Transaction,
): Promise<UploadTarget> {
  const { workspaceId, fillZero } = readMembers(members, upload);
  return { tenant: await upload.resolve(workspaceId, tx), fillZero };
}

function recordUpload(
  tx: Transaction,
  caller: IncomingUpload['caller'],
  tenant: WorkspaceTenant,
  stored: {
    readonly id: string;
    readonly format: UploadFormat;
    readonly byteCount: number;
    readonly occurredAt: Date;
  },
): Promise<void> {
  return recordAuditBy(tx, caller, {
    action: 'demand.uploaded',
    target: { kind: 'import', id: stored.id },
    details: { workspace_id: tenant.workspaceId, format: stored.format, bytes: stored.byteCount },
    occurredAt: stored.occurredAt,
  });
}
