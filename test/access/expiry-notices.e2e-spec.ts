import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { ExpiryNotices } from '../../src/access/api-keys/expiry/expiry-notices.js';
import { Clock } from '../../src/platform/clock.js';
import { DAY_MS } from '../../src/platform/durations.js';
import { MailOutbox } from '../../src/platform/mail/mail-outbox.js';
import { AppClient } from '../support/app-client.js';
import { createApiKey, createMember, createOrganization } from '../support/builders.js';
import { createTestDatabase, type TestDatabase } from '../support/databases.js';
import { speedUpRounds } from '../support/time/fast-rounds.js';
import { MailServer } from '../support/mail/mail-server.js';
import { startMailedService, untilMailSent } from '../support/mail/mailed-service.js';
import { startTestService, type TestService } from '../support/test-service.js';

describe('API keys that expire soon', () => {
  speedUpRounds(MailOutbox);
  const mails = new MailServer();
  let database: TestDatabase;
  let service: TestService;
  beforeAll(async () => {
    database = await createTestDatabase();
    service = await startMailedService(mails, { database });
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await sql('UPDATE api_keys SET revoked_at = now()'); // keys of one test are not to be told of in the next
    mails.received.length = 0;
  });
  afterAll(async () => {
    await service.close();
    await database.drop();
  });

  const sql = (text: string, ...values: unknown[]) => service.database.query<Record<string, unknown>>(text, values);
  const inDays = (days: number) => new Date(Date.now() + days * DAY_MS);
  /** An organization with an admin and a key that was made long ago. */
  async function scene(days: number, madeDaysAgo = 80) {
    const { id, name } = await createOrganization(service.database);
    const admin = await createMember(service.database, id, 'admin');
    await key(id, 'ERP', days, madeDaysAgo);
    return { organizationId: id, organization: name, admin, client: new AppClient(service.url, admin.token) };
  }
  async function key(organizationId: string, name: string, days: number, madeDaysAgo = 80) {
    await createApiKey(service, organizationId, { name, expiresAt: inDays(days) });
    await sql(
      'UPDATE api_keys SET created_at = $3 WHERE organization_id = $1 AND name = $2',
      organizationId,
      name,
      inDays(-madeDaysAgo),
    );
  }
  /** A round of every process, of which there are two. @returns who got how many mails */
  async function rounds() {
    const notices = service.app.get(ExpiryNotices);
    await Promise.all([notices.round(), notices.round()]);
    await untilMailSent(service);
    return mails.received.flatMap(({ to }) => to).sort();
  }

  it('are announced to admins and owners once, seven days ahead, with the time of expiry', async () => {
    const { organizationId, organization, admin } = await scene(6.9);
    const owner = await createMember(service.database, organizationId, 'owner');
    await createMember(service.database, organizationId, 'member');
    expect(await rounds()).toEqual([admin.email, owner.email].sort());
    expect(await rounds()).toHaveLength(2);
    const { content } = await mails.mailTo(admin.email, `An API key of ${organization} expires soon`);
    const [row] = await sql('SELECT * FROM api_keys WHERE organization_id = $1', organizationId);
    expect(content.replaceAll(/\s+/g, ' ')).toMatch(
      new RegExp(
        `The key ERP \\(${String(row!['prefix'])}…${String(row!['last_four'])}\\) expires on \\d+ \\w+ 20\\d\\d at \\d\\d:\\d\\d UTC`,
      ),
    );
    expect(content).toContain(`/orgs/${organizationId}/api-keys/{key_id}/rotate`);
  });

  it('are listed in one mail per organization', async () => {
    const { organizationId, organization, admin } = await scene(3);
    await key(organizationId, 'Shop', 2);
    expect(await rounds()).toEqual([admin.email]);
    const { content } = await mails.mailTo(admin.email, `API keys of ${organization} expire soon`);
    expect(content.indexOf('The key Shop')).toBeLessThan(content.indexOf('The key ERP')); // the first to end first
  });

  it('are announced until they have expired, however long the mail server is down', async () => {
    const { organizationId } = await scene(6.9);
    await key(organizationId, 'Shop', 2);
    mails.refusal = { code: 451, at: 'sender' };
    try {
      await service.app.get(ExpiryNotices).round();
      await service.app.get(MailOutbox).round();
    } finally {
      mails.refusal = undefined;
    }
    const useful = () =>
      sql(`SELECT kind FROM mail_messages WHERE status = 'pending' AND expires_at > $1`, inDays(6.8));
    expect(await useful()).toEqual([{ kind: 'api_keys_expiring' }]);
    await sql(`UPDATE mail_messages SET expires_at = now() WHERE status = 'pending'`); // the next try is due in minutes
  });

  it.each([
    ['that expire later', 7.1, 80],
    ['that have expired', -0.1, 80],
    ['created with as short a lifetime', 5, 1],
  ])('are not announced when they are keys %s', async (_, days, madeDaysAgo) => {
    await scene(days, madeDaysAgo);
    expect(await rounds()).toEqual([]);
  });

  it.each([
    ['revoked', 'UPDATE api_keys SET revoked_at = now() WHERE organization_id = $1'],
    ['locked', 'UPDATE api_keys SET locked_at = now() WHERE organization_id = $1'],
    ['unreadable', `UPDATE api_keys SET former_pepper = sha256('x') WHERE organization_id = $1`],
    ['of a suspended organization', 'UPDATE organizations SET suspended_at = now() WHERE id = $1'],
    ['of an organization that awaits deletion', 'UPDATE organizations SET delete_after = now() WHERE id = $1'],
  ])('are not announced when they are %s', async (_, change) => {
    const { organizationId } = await scene(3);
    await sql(change, organizationId);
    expect(await rounds()).toEqual([]);
  });

  it('are not announced once rotated, but their successors are when they expire', async () => {
    const { organizationId, admin, client } = await scene(3);
    const { body } = await client.get<{ id: string }[]>(`/orgs/${organizationId}/api-keys`);
    const rotated = await client.post(`/orgs/${organizationId}/api-keys/${body[0]!.id}/rotate`, {
      grace_period: '24h',
      expires_at: inDays(30).toISOString(),
    });
    expect(rotated.status).toBe(201);
    expect(await rounds()).toEqual([]);
    jest.spyOn(service.app.get(Clock), 'now').mockImplementation(() => inDays(24));
    expect(await rounds()).toEqual([admin.email]);
  });

  it('are announced only once e-mail is configured', async () => {
    const { organizationId } = await scene(3);
    const silent = await startTestService({ database });
    try {
      await silent.app.get(ExpiryNotices).round();
    } finally {
      await silent.close();
    }
    expect(await sql('SELECT expiry_told_at FROM api_keys WHERE organization_id = $1', organizationId)).toEqual([
      { expiry_told_at: null },
    ]);
  });
});
