import { defineEntity, p } from '@mikro-orm/core';
import { addresses, instant, text } from '../../platform/database/columns.js';
import { userReference } from '../users/users.entities.js';

/** A customer: owns workspaces, members, keys and the run quota of its plan. */
export const OrganizationEntity = defineEntity({
  name: 'Organization',
  tableName: 'organizations',
  properties: {
    id: p.uuid().primary(),
    name: text(),
    /** A name from config/plans.json. */
    plan: text(),
    suspendedAt: instant().nullable(),
    suspensionReason: text().nullable(),
    /** CIDR ranges that public API calls may come from; empty allows any. */
    ipAllowlist: addresses(),
    /** The organization that the first start creates for trying out the service; a customer once it is renamed. */
    isDemo: p.boolean().default(false),
    /** Where the customer's data must stay, as stated by the customer; null if nothing was stated. */
    dataRegion: text().nullable(),
    /** Months for which results and records of work are kept (src/retention/kinds.ts); null keeps them forever. */
    retentionMonths: p.integer().nullable(),
    /** When it was last changed, or the upgrade that introduced sweeps: older data is not overdue until the next sweep. */
    retentionSetAt: instant().nullable(),
    /** Runs beyond the quota that may be billed per month, as stated by the customer; null allows any number. */
    overageLimit: p.integer().nullable(),
    /** Whether members without a second factor are refused. */
    secondFactorRequired: p.boolean().default(false),
    /** When a requested deletion takes effect; null while none is requested. */
    deleteAfter: instant().nullable(),
    createdAt: instant(),
  },
});

/** The reference in every tenant table: rows are deleted with their organization. */
export const organizationReference = () =>
  p.manyToOne(OrganizationEntity).mapToPk().fieldName('organization_id').deleteRule('cascade').index(false);

/** A set of series that are forecast together. */
export const WorkspaceEntity = defineEntity({
  name: 'Workspace',
  tableName: 'workspaces',
  properties: {
    id: p.uuid().primary(),
    organization: organizationReference(),
    name: text(),
    /** IANA name; determines to which day an order belongs. */
    timeZone: text().default('UTC'),
    /** Grows with every change of its demand (src/series/demand-version.queries.ts). */
    demandVersion: p.integer().default(0),
    /** Grows with every change of a stock target of its series (src/series/stock-targets.queries.ts). */
    stockTargetVersion: p.integer().default(0),
    createdAt: instant(),
  },
  indexes: [{ name: 'workspaces_organization', properties: ['organization', 'id'] }],
});

/** The reference of what belongs to one workspace: rows are deleted with it. */
export const workspaceReference = () =>
  p.manyToOne(WorkspaceEntity).mapToPk().fieldName('workspace_id').deleteRule('cascade').index(false);

/** The role of a user in an organization. */
export const MembershipEntity = defineEntity({
  name: 'Membership',
  tableName: 'memberships',
  properties: {
    organization: organizationReference().primary(),
    user: userReference().primary(),
    role: text(),
    createdAt: instant(),
    /** When an administrator last confirmed that the access is still needed. */
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
