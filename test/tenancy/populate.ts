import { SOC2 } from '../../config/soc2.js';
import { type AuditAction, recordAudit } from '../../src/access/index.js';
import { insertInvitation } from '../../src/access/invitations/invitations.queries.js';
import { DAY_MS, later } from '../../src/platform/durations.js';
import { newId } from '../../src/platform/ids.js';
import type { WooCommerceServer } from '../connectors/woocommerce-server.js';
import { Api } from '../support/api.js';
import {
  addMember,
  createApiKey,
  createOrganization,
  createSession,
  createUser,
  createWorkspace,
} from '../support/builders.js';
import type { TestService } from '../support/test-service.js';
import { populateWorkspace } from './populate-workspace.js';
import type { Population } from './population.js';

/** An action of an earlier release, which only the log of this member's organization knows. */
export const retiredAction = (userId: string): string => `retired.${userId}`;

/** What is being made, and for whom. */
interface Making {
  readonly service: TestService;
  readonly organizationId: string;
  readonly marker: string;
}

/** Makes an organization by what its users would send. */
export async function populate(service: TestService, shop: WooCommerceServer, marker: string): Promise<Population> {
  const db = service.database;
  const { id: organizationId } = await createOrganization(db, { name: `${marker} organization`, plan: 'enterprise' });
  const making = { service, organizationId, marker };
  const neighbourMarker = `${marker}-NEIGHBOUR`;
  const workspace = await createWorkspace(db, organizationId, { name: `${marker} workspace` });
  const neighbour = await createWorkspace(db, organizationId, { name: `${neighbourMarker} workspace` });
  const userId = await addMembers(making);
  await recordActions(making, userId);
  await acceptAgreement(making, userId);
  const { keyId, organizationKey, workspaceKey } = await makeKeys(making, workspace.id);
  const api = new Api(service.url, organizationKey);
  return {
    ids: {
      ...(await populateWorkspace(service, shop, { api, organizationId, workspaceId: workspace.id, marker })),
      org_id: organizationId,
      user_id: userId,
      session_id: await idOf(
        making,
        `SELECT s.id FROM sessions s JOIN memberships m ON m.user_id = s.user_id WHERE m.organization_id = $1`,
      ),
      key_id: keyId,
      invitation_id: await invite(making, userId),
    },
    neighbour: await populateWorkspace(service, shop, {
      api,
      organizationId,
      workspaceId: neighbour.id,
      marker: neighbourMarker,
    }),
    organizationKey,
    workspaceKey,
    marker,
    neighbourMarker,
  };
}

/** A viewer, who has signed in, and an owner. @returns the id of the viewer */
async function addMembers({ service: { database }, organizationId, marker }: Making): Promise<string> {
  const member = await createUser(database, { email: `${marker}@example.com`, name: `${marker} member` });
  await addMember(database, organizationId, member.id, 'viewer');
  await createSession(database, member.id);
  const owner = await createUser(database, { name: `${marker} owner` });
  await addMember(database, organizationId, owner.id, 'owner');
  return member.id;
}

async function recordActions({ service, organizationId, marker }: Making, userId: string): Promise<void> {
  for (const action of ['flag.changed', retiredAction(userId)]) {
    await service.database.transaction((tx) =>
      recordAudit(tx, {
        organizationId,
        actor: { kind: 'user', id: userId, name: `${marker}@example.com`, address: null },
        action: action as AuditAction,
        target: { kind: 'thing', id: marker },
        now: new Date(),
      }),
    );
  }
}

/** @returns the id of the invitation */
async function invite({ service, organizationId, marker }: Making, invitedBy: string): Promise<string> {
  const id = newId();
  const now = new Date();
  const guest = { email: `${marker}-guest@example.com`, role: 'viewer' as const };
  const dates = { created_at: now, expires_at: later(now, DAY_MS) };
  const invitation = { id, ...guest, ...dates, invited_by: invitedBy };
  await insertInvitation(service.database, organizationId, invitation, Buffer.from(id));
  return id;
}

async function acceptAgreement({ service, organizationId, marker }: Making, userId: string): Promise<void> {
  await service.database.execute(
    `INSERT INTO agreement_acceptances (organization_id, agreement, version, accepted_at, user_id, email)
     VALUES ($1, 'data_processing_agreement', $2, now(), $3, $4)`,
    [organizationId, SOC2.agreements.data_processing_agreement.version, userId, `${marker}@example.com`],
  );
}

interface Keys {
  readonly organizationKey: string;
  /** Its id. */
  readonly keyId: string;
  readonly workspaceKey: string;
}

/** A key of the organization, a locked one, and one that is bound to the workspace. */
async function makeKeys(making: Making, workspaceId: string): Promise<Keys> {
  const { service, organizationId, marker } = making;
  const organizationKey = await createApiKey(service, organizationId, { name: `${marker} key` });
  const keyId = await idOf(making, 'SELECT id FROM api_keys WHERE organization_id = $1');
  await createApiKey(service, organizationId, { name: `${marker} locked key` });
  await service.database.execute('UPDATE api_keys SET locked_at = now() WHERE organization_id = $1 AND id <> $2', [
    organizationId,
    keyId,
  ]);
  const workspaceKey = await createApiKey(service, organizationId, { workspaceId, name: `${marker} bound key` });
  return { organizationKey, keyId, workspaceKey };
}

/** @param sql selects the id of a row of the organization, `$1` */
async function idOf({ service, organizationId }: Making, sql: string): Promise<string> {
  const [row] = await service.database.query<{ id: string }>(sql, [organizationId]);
  return row!.id;
}
