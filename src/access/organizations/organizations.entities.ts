import { defineEntity, p } from '@mikro-orm/core';
import { addresses, instant, text } from '../../platform/database/columns.js';
import { userReference } from '../users/users.entities.js';

/** A customer: owner of workspaces, members, keys and the run quota of its plan. */
export const OrganizationEntity = defineEntity({
  name: 'Organization',
  tableName: 'organizations',
  properties: {
    id: p.uuid().primary(),
    name: text(),
    /** A name of config/plans.json. */
    plan: text(),
    suspendedAt: instant().nullable(),
    suspensionReason: text().nullable(),
    /** CIDR ranges that public API calls may come from; empty allows any. */
    ipAllowlist: addresses(),
    /** The organization that the first start makes to try the service with; a customer once it is renamed. */
    isDemo: p.boolean().default(false),
    /** Where the customer's data has to stay, as the customer states; null where nothing was stated. */
    dataRegion: text().nullable(),
    /** Months that results and records of work are kept (src/retention/kinds.ts); null keeps them. */
    retentionMonths: p.integer().nullable(),
    /** When it was last changed, or the upgrade that brought sweeps: until the next sweep what is older is no fault of the service. */
    retentionSetAt: instant().nullable(),
    /** Runs beyond the quota that may be billed in a month, as the customer states; null allows any number. */
    overageLimit: p.integer().nullable(),
    /** Whether members without a second factor are refused. */
    secondFactorRequired: p.boolean().default(false),
    /** When a requested deletion takes effect; null while none is requested. */
    deleteAfter: instant().nullable(),
    createdAt: instant(),
  },
});

/** The reference every tenant table carries: rows go with their organization. */
export const organizationReference = () =>
  p.manyToOne(OrganizationEntity).mapToPk().fieldName('organization_id').deleteRule('cascade').index(false);

/** A set of series forecast together. */
export const WorkspaceEntity = defineEntity({
  name: 'Workspace',
  tableName: 'workspaces',
  properties: {
    id: p.uuid().primary(),
    organization: organizationReference(),
    name: text(),
    /** IANA name; decides which day an order belongs to. */
    timeZone: text().default('UTC'),
    createdAt: instant(),
  },
  indexes: [{ name: 'workspaces_organization', properties: ['organization', 'id'] }],
});

/** The reference of what belongs to one workspace: rows go with it. */
export const workspaceReference = () =>
  p.manyToOne(WorkspaceEntity).mapToPk().fieldName('workspace_id').deleteRule('cascade').index(false);

/** What a user may do in an organization. */
export const MembershipEntity = defineEntity({
  name: 'Membership',
  tableName: 'memberships',
  properties: {
    organization: organizationReference().primary(),
    user: userReference().primary(),
    role: text(),
    createdAt: instant(),
    /** Last time an administrator confirmed that the access is still needed. */
    reviewedAt: instant().nullable(),
  },
  indexes: [{ name: 'memberships_user', properties: ['user'] }],
});

/** When something was last published to the pollers of an organization (platform/database/publication.ts). */
export const PublicationEntity = defineEntity({
  name: 'Publication',
  tableName: 'publications',
  properties: { organization: organizationReference().primary(), publishedAt: instant() },
});
