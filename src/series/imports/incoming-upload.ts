import type { FastifyRequest } from 'fastify';
import {
  type Idempotency,
  type KeyIdentity,
  recordAuditBy,
  type ReplayableReply,
  type StoredReply,
  type TenantCaller,
} from '../../access/index.js';
import type { Transaction } from '../../platform/database/database.js';
import type { WorkspaceTenant } from '../../platform/database/scope.js';
import type { DecimalMark } from '../upload/decimal-mark.js';
import type { Fill } from '../upload/members.js';
import type { UploadFormat } from '../upload/read-upload.js';
import type { UploadBody } from './request-body.js';

export interface IncomingUpload {
  readonly request: FastifyRequest;
  /** The sender. */
  readonly caller: TenantCaller;
  readonly origin: 'api' | 'app';
  /** From the query or the path. A JSON body may contain both instead. */
  readonly workspaceId: string | undefined;
  readonly fill: Fill | undefined;
  /** Decimal mark of a CSV file. */
  readonly decimal: DecimalMark | undefined;
  readonly idempotency?: KeyIdentity | undefined;
  /** Path for polling the import, without its id. */
  readonly importsPath: string;
}

/** An upload that may be read. */
export interface AcceptedUpload extends IncomingUpload {
  readonly format: UploadFormat;
  readonly body: UploadBody;
  /** Undefined as long as only the body names the workspace, and is not read so far. */
  readonly tenant: WorkspaceTenant | undefined;
}

/** Bytes of an upload that are stored in about a second. A repetition sends them all again, so one of a large upload should wait. */
const STORED_PER_SECOND = 5_000_000;

/** Thrown to roll back a repeated request, for which the first response is sent again. */
export class Replay extends Error {
  constructor(readonly reply: ReplayableReply) {
    super('replayed');
  }
}

/**
 * Does the work that an Idempotency-Key stands for, and stores its response. Call it once the body is read, before a workspace is locked.
 * @throws {Replay} if that was done before
 */
export async function oncePerKey<Body>(
  idempotency: Idempotency,
  tx: Transaction,
  upload: AcceptedUpload,
  work: () => Promise<StoredReply<Body>>,
): Promise<StoredReply<Body>> {
  if (!upload.idempotency) return work();
  const seconds = Math.max(1, Math.ceil(upload.body.byteCount / STORED_PER_SECOND));
  const reply = await idempotency.once(tx, upload.idempotency, digestOf(upload), work, seconds);
  if (reply.replayed) throw new Replay(reply);
  return reply;
}

/** Identifies a repeated upload whose body is read. A fill in the body counts as part of its bytes. */
export function digestOf({ fill, decimal, format, tenant, body }: AcceptedUpload): Buffer {
  return body.digest(format, { tenant, fillZero: fill === 'zero', decimal });
}

export function recordUpload(
  tx: Transaction,
  caller: IncomingUpload['caller'],
  tenant: WorkspaceTenant,
  stored: {
    readonly id: string;
    readonly format: UploadFormat;
    readonly byteCount: number;
    readonly now: Date;
  },
): Promise<void> {
  return recordAuditBy(tx, caller, {
    action: 'demand.uploaded',
    target: { kind: 'import', id: stored.id },
    details: { workspace_id: tenant.workspaceId, format: stored.format, bytes: stored.byteCount },
    now: stored.now,
  });
}
