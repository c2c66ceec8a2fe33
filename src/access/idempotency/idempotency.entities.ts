import { defineEntity, p } from '@mikro-orm/core';
import { instant, text } from '../../platform/database/columns.js';
import { ApiKeyEntity } from '../api-keys/api-keys.entities.js';
import { organizationReference } from '../organizations/organizations.entities.js';

/** First reply to a POST with an Idempotency-Key, replayed for as long as it is kept. */
export const IdempotencyKeyEntity = defineEntity({
  name: 'IdempotencyKey',
  tableName: 'idempotency_keys',
  properties: {
    apiKey: p.manyToOne(ApiKeyEntity).mapToPk().fieldName('api_key_id').deleteRule('cascade').index(false).primary(),
    key: text().primary(),
    organization: organizationReference(),
    /** SHA-256 over the operation and its input. */
    requestHash: p.blob(),
    /** Null within the transaction that is still in progress; never visible to others in this state. */
    status: p.integer().nullable(),
    headers: p.json().columnType('json').nullable(),
    /** `json`, not `jsonb`: a replay preserves key order. */
    body: p.json().columnType('json').nullable(),
    expiresAt: instant(),
  },
  indexes: [{ name: 'idempotency_keys_expiry', properties: ['expiresAt'] }],
});
