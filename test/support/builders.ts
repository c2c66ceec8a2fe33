import type { PlanName } from '../../config/plans.js';
import { issueApiKey } from '../../src/access/api-keys/issue/issue-api-key.js';
import { setMembership } from '../../src/access/organizations/members/memberships.queries.js';
import { insertOrganization } from '../../src/access/organizations/organizations.queries.js';
import { insertWorkspace } from '../../src/access/organizations/workspaces/workspaces.queries.js';
import { confirmSecret, storeSecret } from '../../src/access/second-factor/second-factor.queries.js';
import { openSession } from '../../src/access/sessions/sessions.queries.js';
import { hashPassword } from '../../src/access/users/password.js';
import { insertUser } from '../../src/access/users/users.queries.js';
import { seal } from '../../src/platform/crypto/sealed-box.js';
import type { Queryable } from '../../src/platform/database/database.js';
import type { MemberRole } from '../../src/platform/http/access-declaration.js';
import { newId } from '../../src/platform/ids.js';
import type { TestService } from './test-service.js';

/** Valid fixtures for tests, each with overrides. They are inserted directly into the database. */
export async function createOrganization(
  db: Queryable,
  overrides: Partial<{ id: string; name: string; plan: PlanName }> = {},
): Promise<{ id: string; name: string; plan: PlanName }> {
  const id = overrides.id ?? newId();
  const organization = { id, name: `Organization ${id.slice(-6)}`, plan: 'growth' as const, ...overrides };
  await insertOrganization(db, { ...organization, createdAt: new Date() });
  return organization;
}

export async function createWorkspace(
  db: Queryable,
  organizationId: string,
  overrides: Partial<{ id: string; name: string; timeZone: string }> = {},
): Promise<{ id: string; name: string }> {
  const id = overrides.id ?? newId();
  const workspace = { id, name: `Workspace ${id.slice(-6)}`, timeZone: 'UTC', ...overrides };
  await insertWorkspace(db, organizationId, { ...workspace, createdAt: new Date() });
  return workspace;
}

/** @returns the key in plain text; without `workspaceId` it is valid for the whole organization */
export async function createApiKey(
  service: Pick<TestService, 'database' | 'secrets'>,
  organizationId: string,
  overrides: Partial<{ workspaceId: string; name: string; ipAllowlist: string[]; expiresAt: Date }> = {},
): Promise<string> {
  const wanted = { workspaceId: null, name: 'test key', ...overrides };
  const by = { pepper: service.secrets.apiKeyPepper, now: new Date() };
  const { plaintext } = await issueApiKey(service.database, organizationId, wanted, by);
  return plaintext;
}

/** An organization with a workspace and a key of each scope: the starting point of most suites. */
export async function createTenant(
  service: Pick<TestService, 'database' | 'secrets'>,
  overrides: Partial<{ name: string; plan: PlanName }> = {},
): Promise<{ organizationId: string; workspaceId: string; workspaceKey: string; organizationKey: string }> {
  const organization = await createOrganization(service.database, overrides);
  const workspace = await createWorkspace(service.database, organization.id);
  return {
    organizationId: organization.id,
    workspaceId: workspace.id,
    workspaceKey: await createApiKey(service, organization.id, { workspaceId: workspace.id }),
    organizationKey: await createApiKey(service, organization.id),
  };
}

/** A well-formed id that no row has. */
export const UNKNOWN_ID = '019a8f3c-0000-7000-8000-00000000dead';
export const TEST_PASSWORD = 'correct horse battery staple';
/** The encryption key of test services. */
export const TEST_ENCRYPTION_KEY = '0123456789abcdef'.repeat(4);
/** The TOTP secret of every user with a second factor. */
export const TEST_TOTP_SECRET = Buffer.from('12345678901234567890');
let testPasswordHash: Promise<string> | undefined;

/** Operators get a second factor, without which they could do nothing, unless overridden. */
export async function createUser(
  db: Queryable,
  overrides: Partial<{
    id: string;
    email: string;
    name: string;
    isOperator: boolean;
    secondFactor: boolean;
    password: string;
  }> = {},
): Promise<{ id: string; email: string }> {
  const id = overrides.id ?? newId();
  testPasswordHash ??= hashPassword(TEST_PASSWORD);
  const email = overrides.email ?? `user-${id}@example.com`;
  await insertUser(db, {
    id,
    email,
    name: overrides.name ?? 'Test User',
    passwordHash: overrides.password === undefined ? await testPasswordHash : await hashPassword(overrides.password),
    isOperator: overrides.isOperator ?? false,
    createdAt: new Date(),
  });
  if (overrides.secondFactor ?? overrides.isOperator) {
    await storeSecret(db, id, seal(TEST_TOTP_SECRET, Buffer.from(TEST_ENCRYPTION_KEY, 'hex'), id));
    await confirmSecret(db, id, new Date());
  }
  return { id, email };
}

export async function addMember(
  db: Queryable,
  organizationId: string,
  userId: string,
  role: MemberRole,
): Promise<void> {
  await setMembership(db, organizationId, { userId, role, now: new Date() });
}

/** @returns a bearer token for a new session */
export async function createSession(db: Queryable, userId: string): Promise<string> {
  return (await openSession(db, { userId, address: '127.0.0.1', userAgent: null, now: new Date() })).token;
}

/** A user with a role in the organization, signed in. */
export async function createMember(
  db: Queryable,
  organizationId: string,
  role: MemberRole,
): Promise<{ id: string; email: string; token: string }> {
  const user = await createUser(db);
  await addMember(db, organizationId, user.id, role);
  return { ...user, token: await createSession(db, user.id) };
}
