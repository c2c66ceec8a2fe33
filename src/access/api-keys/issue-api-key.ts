import type { Queryable } from '../../platform/database/database.js';
import { newId } from '../../platform/ids.js';
import type { AuditActor } from '../audit/audit-event.js';
import { displayParts, generateApiKey, hashApiKey } from './api-key-format.js';
import { type ApiKeyRow, insertApiKey, type KeyMaker } from './api-keys.queries.js';

export interface ApiKeyRequest {
  readonly workspaceId: string | null;
  readonly name: string;
  readonly ipAllowlist?: readonly string[];
  readonly expiresAt?: Date | null;
  /** Left out by the command line. */
  readonly maker?: KeyMaker | null;
  readonly now: Date;
}

export interface IssuedApiKey {
  readonly key: ApiKeyRow;
  readonly plaintext: string;
}

/** The user who is named as the maker of a key; null for others. */
export function makerOf(actor: AuditActor): KeyMaker | null {
  return actor.kind === 'user' && actor.id !== null ? { id: actor.id, email: actor.name } : null;
}

/** Makes and stores a key. `plaintext` exists only here and in the reply; it cannot be read again. */
export async function issueApiKey(
  db: Queryable,
  organizationId: string,
  pepper: string,
  request: ApiKeyRequest,
): Promise<IssuedApiKey> {
  const plaintext = generateApiKey();
  const key = await insertApiKey(db, organizationId, {
    id: newId(),
    workspaceId: request.workspaceId,
    name: request.name,
    hash: hashApiKey(plaintext, pepper),
    ...displayParts(plaintext),
    ipAllowlist: request.ipAllowlist ?? [],
    expiresAt: request.expiresAt ?? null,
    maker: request.maker ?? null,
    createdAt: request.now,
  });
  return { plaintext, key };
}
