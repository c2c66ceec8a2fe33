import { defineEntity, p } from '@mikro-orm/core';
import { instant, text } from '../platform/database/columns.js';

const addresses = () => p.array<string>().columnType('text[]').defaultRaw(`'{}'`);

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

/** A person, who may belong to several organizations. */
export const UserEntity = defineEntity({
  name: 'User',
  tableName: 'users',
  properties: {
    id: p.uuid().primary(),
    /** Lower case: addresses that differ in case only are one account. */
    email: text().unique('users_email'),
    name: text(),
    /** argon2id, in PHC string format. */
    passwordHash: text(),
    /** Operators run the platform; granted from the command line only. */
    isOperator: p.boolean().default(false),
    /** TOTP secret, encrypted under the installation's key; null without a second factor. */
    totpSecret: p.blob().nullable(),
    totpConfirmedAt: instant().nullable(),
    /** Time step of the last code that was taken. */
    totpLastStep: p.integer().nullable(),
    passwordChangedAt: instant(),
    createdAt: instant(),
  },
});

const userReference = () => p.manyToOne(UserEntity).mapToPk().fieldName('user_id').deleteRule('cascade').index(false);

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

/** A credential of the public API. The key itself is not stored, only its peppered hash. */
export const ApiKeyEntity = defineEntity({
  name: 'ApiKey',
  tableName: 'api_keys',
  properties: {
    id: p.uuid().primary(),
    organization: organizationReference(),
    /** Null: the key reaches every workspace of the organization. */
    workspace: workspaceReference().nullable(),
    name: text(),
    /** HMAC-SHA256 of the key under the installation's pepper. */
    hash: p.blob().unique('api_keys_hash'),
    /** First and last characters, kept to recognise a key by. */
    prefix: text(),
    lastFour: text(),
    ipAllowlist: addresses(),
    lockedAt: instant().nullable(),
    revokedAt: instant().nullable(),
    expiresAt: instant().nullable(),
    /** When the admins were told that it is about to expire. */
    expiryToldAt: instant().nullable(),
    lastUsedAt: instant().nullable(),
    /** The user who made it, also once the account is gone; null for keys made from the command line. */
    createdBy: p.uuid().nullable(),
    /** The address that the maker had then. */
    createdByEmail: text().nullable(),
    /** The key that replaces this one since its rotation. */
    successorId: p.uuid().nullable(),
    createdAt: instant(),
  },
  indexes: [
    { name: 'api_keys_organization', properties: ['organization', 'id'] },
    { name: 'api_keys_workspace', properties: ['workspace'] },
  ],
});

/** A switch over the whole platform, and who set it why. */
export const PlatformFlagEntity = defineEntity({
  name: 'PlatformFlag',
  tableName: 'platform_flags',
  properties: {
    name: text().primary(),
    enabled: p.boolean(),
    reason: text().nullable(),
    changedBy: text(),
    changedAt: instant(),
  },
});

/** A signed-in browser or program. */
export const SessionEntity = defineEntity({
  name: 'Session',
  tableName: 'sessions',
  properties: {
    id: p.uuid().primary(),
    user: userReference(),
    /** SHA-256 of the bearer token. */
    tokenHash: p.blob().unique('sessions_token'),
    createdAt: instant(),
    lastSeenAt: instant(),
    /** Latest end, however busy the session is. */
    expiresAt: instant(),
    revokedAt: instant().nullable(),
    address: text().nullable(),
    userAgent: text().nullable(),
  },
  indexes: [{ name: 'sessions_user', properties: ['user', 'id'] }],
});

/** A code that stands in for the authenticator once; it goes when it is used. */
export const RecoveryCodeEntity = defineEntity({
  name: 'RecoveryCode',
  tableName: 'recovery_codes',
  properties: {
    user: userReference().primary(),
    /** SHA-256 of the code. */
    hash: p.blob().primary(),
  },
});

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

/** An offer of membership, taken up by whoever holds the link. */
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

/** A link by which a forgotten password is replaced; it goes when it is used. */
export const PasswordResetEntity = defineEntity({
  name: 'PasswordReset',
  tableName: 'password_resets',
  properties: {
    id: p.uuid().primary(),
    user: userReference(),
    /** SHA-256 of the token in the link. */
    tokenHash: p.blob().unique('password_resets_token'),
    createdAt: instant(),
    expiresAt: instant(),
  },
  indexes: [{ name: 'password_resets_user', properties: ['user'] }],
});

/** A link by which the new address of an account is confirmed; it goes when it is used. */
export const EmailChangeEntity = defineEntity({
  name: 'EmailChange',
  tableName: 'email_changes',
  properties: {
    user: userReference().primary(),
    /** The address to be, in lower case. */
    email: text(),
    /** SHA-256 of the token in the link. */
    tokenHash: p.blob().unique('email_changes_token'),
    createdAt: instant(),
    expiresAt: instant(),
  },
});

/** When something was last published to the pollers of an organization (platform/database/publication.ts). */
export const PublicationEntity = defineEntity({
  name: 'Publication',
  tableName: 'publications',
  properties: { organization: organizationReference().primary(), publishedAt: instant() },
});

/** How often signing in has failed of late, by account and address and by address alone. */
export const SignInAttemptEntity = defineEntity({
  name: 'SignInAttempt',
  tableName: 'sign_in_attempts',
  properties: {
    /** SHA-256 of what is counted: no addresses of accounts that do not exist are kept. */
    subject: p.blob().primary(),
    failures: p.integer(),
    lastAt: instant(),
    blockedUntil: instant().nullable(),
  },
});

/**
 * The audit log: append-only, chained by hashes per organization. No foreign key: it outlives what it tells of. Events
 * of the platform itself carry the nil UUID.
 */
export const AuditEventEntity = defineEntity({
  name: 'AuditEvent',
  tableName: 'audit_events',
  properties: {
    organizationId: p.uuid().primary(),
    /** 1, 2, 3 … within the organization, without gaps. */
    sequence: p.integer().primary(),
    id: p.uuid(),
    occurredAt: instant(),
    actorKind: text(),
    actorId: p.uuid().nullable(),
    actorName: text(),
    action: text(),
    targetKind: text(),
    targetId: text(),
    details: p.json(),
    address: text().nullable(),
    previousHash: p.blob(),
    hash: p.blob(),
  },
  indexes: [
    { name: 'audit_events_action', properties: ['organizationId', 'action', 'sequence'] },
    { name: 'audit_events_actor', properties: ['organizationId', 'actorId', 'sequence'] },
    { name: 'audit_events_target', properties: ['organizationId', 'targetId', 'sequence'] },
    { name: 'audit_events_time', properties: ['organizationId', 'occurredAt'] },
  ],
  triggers: [
    {
      name: 'audit_events_append_only',
      timing: 'before',
      events: ['update', 'delete', 'truncate'],
      // made by the migration; named here so that the drift check leaves it alone
      expression:
        'CREATE TRIGGER audit_events_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_events FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change()',
    },
  ],
});

/** Last event of each chain: what the next one is linked to, and what shows that none was cut off the end. */
export const AuditHeadEntity = defineEntity({
  name: 'AuditHead',
  tableName: 'audit_heads',
  properties: { organizationId: p.uuid().primary(), sequence: p.integer(), hash: p.blob() },
});

export const ACCESS_ENTITIES = [
  OrganizationEntity,
  WorkspaceEntity,
  UserEntity,
  MembershipEntity,
  ApiKeyEntity,
  PlatformFlagEntity,
  SessionEntity,
  RecoveryCodeEntity,
  IdempotencyKeyEntity,
  InvitationEntity,
  PasswordResetEntity,
  EmailChangeEntity,
  PublicationEntity,
  SignInAttemptEntity,
  AuditEventEntity,
  AuditHeadEntity,
];
