import { defineEntity, p } from '@mikro-orm/core';
import { instant, text } from '../../platform/database/columns.js';
import { ApiKeyEntity } from '../api-keys/api-keys.entities.js';
import { organizationReference } from '../organizations/organizations.entities.js';

/** First reply to a POST with an Idempotency-Key, replayed while it is kept. */
export const IdempotencyKeyEntity = defineEntity({
  name: 'IdempotencyKey',
  tableName: 'idempotency_keys',
  properties: {
    apiKey: p.manyToOne(ApiKeyEntity).mapToPk().fieldName('api_key_id').deleteRule('cascade').index(false).primary(),
    key: text().primary(),
    organization: organizationReference(),
    /** SHA-256 over the operation and its input. */
    requestHash: p.blob(),
    /** Null inside the transaction that is still at work; never seen so by another. */
    status: p.integer().nullable(),
    headers: p.json().columnType('json').nullable(),
    /** `json`, not `jsonb`: a replay keeps the order of members. */
    body: p.json().columnType('json').nullable(),
    expiresAt: instant(),
  },
  indexes: [{ name: 'idempotency_keys_expiry', properties: ['expiresAt'] }],
});
