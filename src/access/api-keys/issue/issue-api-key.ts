import type { Queryable } from '../../../platform/database/database.js';
import { newId } from '../../../platform/ids.js';
import type { AuditActor } from '../../audit/audit-event.js';
import { displayParts, generateApiKey, hashApiKey } from '../api-key-format.js';
import { type ApiKeyRow, insertApiKey, type NewApiKey, type RequestedApiKey } from '../api-keys.queries.js';

export interface IssuedApiKey {
  readonly key: ApiKeyRow;
  readonly plaintext: string;
}

/**
 * Creates and stores a key. `plaintext` exists only here and in the reply and cannot be retrieved later.
 * @param by its actor is recorded as the creator if it is a user
 */
export async function issueApiKey(
  db: Queryable,
  organizationId: string,
  wanted: RequestedApiKey,
  by: { readonly pepper: string; readonly actor?: AuditActor; readonly now: Date },
): Promise<IssuedApiKey> {
  const plaintext = generateApiKey();
  const key = await insertApiKey(db, organizationId, {
    ipAllowlist: [],
    expiresAt: null,
    ...wanted,
    id: newId(),
    hash: hashApiKey(plaintext, by.pepper),
    ...displayParts(plaintext),
    maker: makerOf(by.actor),
    createdAt: by.now,
  });
  return { plaintext, key };
}

function makerOf(actor: AuditActor | undefined): NewApiKey['maker'] {
  return actor?.kind === 'user' && actor.id !== null ? { id: actor.id, email: actor.name } : null;
}
