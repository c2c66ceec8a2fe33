import { defineEntity, p } from '@mikro-orm/core';
import { instant, text } from '../../platform/database/columns.js';
import { organizationReference } from '../organizations/organizations.entities.js';

/** An offer of membership, accepted by whoever holds the link. */
export const InvitationEntity = defineEntity({
  name: 'Invitation',
  tableName: 'invitations',
  properties: {
    id: p.uuid().primary(),
    organization: organizationReference(),
    email: text(),
    role: text(),
    /** SHA-256 of the token in the link. */
    tokenHash: p.blob().unique('invitations_token'),
    invitedBy: p.uuid(),
    createdAt: instant(),
    expiresAt: instant(),
    acceptedAt: instant().nullable(),
    revokedAt: instant().nullable(),
  },
  indexes: [{ name: 'invitations_organization', properties: ['organization', 'id'] }],
});
