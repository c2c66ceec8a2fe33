import { defineEntity, p } from '@mikro-orm/core';
import { addresses, instant, text } from '../../platform/database/columns.js';
import { organizationReference, workspaceReference } from '../organizations/organizations.entities.js';

/** A credential of the public API. The key itself is not stored, only its peppered hash. */
export const ApiKeyEntity = defineEntity({
  name: 'ApiKey',
  tableName: 'api_keys',
  properties: {
    id: p.uuid().primary(),
    organization: organizationReference(),
    /** Null: the key has access to every workspace of the organization. */
    workspace: workspaceReference().nullable(),
    name: text(),
    /** HMAC-SHA256 of the key under the installation's pepper. */
    hash: p.blob().unique('api_keys_hash'),
    /** Digest of the pepper of `hash`, if that pepper was replaced: the key admits no one. */
    formerPepper: p.blob().nullable(),
    /** First and last characters, kept for recognizing a key. */
    prefix: text(),
    lastFour: text(),
    ipAllowlist: addresses(),
    lockedAt: instant().nullable(),
    revokedAt: instant().nullable(),
    expiresAt: instant().nullable(),
    /** When the admins were notified of its upcoming expiry. */
    expiryToldAt: instant().nullable(),
    lastUsedAt: instant().nullable(),
    /** The user who created it, even after the account is gone; null for keys created from the command line. */
    createdBy: p.uuid().nullable(),
    /** The email address that the creator had at the time. */
    createdByEmail: text().nullable(),
    /** The key that replaces this one since it was rotated. */
    successorId: p.uuid().nullable(),
    createdAt: instant(),
  },
  indexes: [
    { name: 'api_keys_organization', properties: ['organization', 'id'] },
    { name: 'api_keys_workspace', properties: ['workspace'] },
  ],
});
