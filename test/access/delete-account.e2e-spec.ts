import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { PLATFORM_CHAIN } from '../../src/access/audit/audit-event.js';
import { verifyAuditChain } from '../../src/access/index.js';
import { MailOutbox } from '../../src/platform/mail/mail-outbox.js';
import { adminWithin } from '../support/admin.js';
import { AppClient } from '../support/app-client.js';
import { currentCode } from '../support/authenticator.js';
import {
  addMember,
  createMember,
  createSession,
  createTenant,
  createUser,
  TEST_PASSWORD,
} from '../support/builders.js';
import { holdRows } from '../support/held-rows.js';
import { speedUpRounds } from '../support/time/fast-rounds.js';
import { MailServer } from '../support/mail/mail-server.js';
import { commandSettings, mailSettings, startMailedService, untilMailSent } from '../support/mail/mailed-service.js';
import type { TestService } from '../support/test-service.js';

describe('a deleted account', () => {
  speedUpRounds(MailOutbox);
  const mails = new MailServer();
  let service: TestService;
  let environment: Record<string, string>;
  beforeAll(async () => {
    service = await startMailedService(mails);
    environment = { ...mailSettings(mails), ...commandSettings(service) };
  });
  afterEach(async () => {
    await untilMailSent(service);
  });
  afterAll(() => service.close());

  const sql = (text: string, ...values: unknown[]) => service.database.query<Record<string, unknown>>(text, values);
  const as = (token?: string) => new AppClient(service.url, token);
  const remove = (client: AppClient, rest: object = {}) =>
    client.post('/auth/me/delete', { password: TEST_PASSWORD, ...rest });
  const isThere = async (userId: string) => (await sql('SELECT FROM users WHERE id = $1', userId)).length === 1;
  const actions = async (chain: string, targetId: string) =>
    (
      await sql(
        'SELECT action, actor_kind, details FROM audit_events WHERE organization_id = $1 AND target_id = $2 ORDER BY sequence',
        chain,
        targetId,
      )
    ).map(({ action, actor_kind, details }) => [action, actor_kind, details]);
  /** An organization with an owner and a second user of the role. */
  async function scene(role: 'viewer' | 'admin' | 'owner' = 'admin') {
    const tenant = await createTenant(service);
    const owner = await createMember(service.database, tenant.organizationId, 'owner');
    const user = await createMember(service.database, tenant.organizationId, role);
    return { ...tenant, ownerClient: as(owner.token), user, client: as(user.token) };
  }

  it('can no longer sign in and is no longer a member', async () => {
    const { organizationId, ownerClient, user, client } = await scene();
    expect((await remove(client)).status).toBe(204);
    expect((await client.get('/auth/me')).status).toBe(401);
    expect((await as().post('/auth/login', { email: user.email, password: TEST_PASSWORD })).status).toBe(401);
    const { body } = await ownerClient.get<{ user_id: string }[]>(`/orgs/${organizationId}/members`);
    expect(body.map(({ user_id }) => user_id)).not.toContain(user.id);
    await mails.mailTo(user.email, 'Your account was deleted');
  });

  it('leaves the audit log intact, which records the deletion', async () => {
    const { organizationId, user, client } = await scene();
    await client.patch('/auth/me', { name: 'Leaving' });
    await remove(client);
    expect(await actions(organizationId, user.id)).toEqual([
      ['user.renamed', 'user', expect.anything()],
      ['member.removed', 'user', { email: user.email, role: 'admin' }],
    ]);
    expect(await actions(PLATFORM_CHAIN, user.id)).toEqual([
      ['user.deleted', 'user', { email: user.email, operator: false }],
    ]);
    expect(await verifyAuditChain(service.database, organizationId)).toMatchObject({ intact: true });
  });

  it('leaves what was created for the organization, and forum posts without a name', async () => {
    const { organizationId, ownerClient, user, client } = await scene();
    const key = (await client.post(`/orgs/${organizationId}/api-keys`, { name: 'ERP' })).body;
    const topic = (await client.post('/community/topics', { category: 'ideas', title: 'A topic', body: 'Text' })).body;
    const { id: replyId } = (await client.post(`/community/topics/${String(topic['id'])}/replies`, { body: 'More' }))
      .body;
    await remove(client);
    const known = await ownerClient.get(`/orgs/${organizationId}/api-keys/${String(key['id'])}`);
    expect(known.body).toMatchObject({
      name: 'ERP',
      state: 'active',
      created_by: user.id,
      created_by_email: user.email,
    });
    const used = await fetch(`${service.url}/api/v1/usage`, { headers: { 'x-api-key': String(key['api_key']) } });
    expect(used.status).toBe(200);
    const read = await ownerClient.get(`/community/topics/${String(topic['id'])}`);
    expect(read.body).toMatchObject({
      body: 'Text',
      author: null,
      replies: [{ id: replyId, body: 'More', author: null }],
    });
  });

  it('makes its pending invitations invalid', async () => {
    const { organizationId, ownerClient, client } = await scene();
    await client.post(`/orgs/${organizationId}/invitations`, { email: 'guest@example.com', role: 'viewer' });
    await remove(client);
    expect((await ownerClient.get(`/orgs/${organizationId}/invitations`)).body).toEqual([]);
  });

  it('cannot be that of the only owner of an organization, which is named', async () => {
    const { organizationId } = await createTenant(service, { name: 'Acme' });
    const owner = await createMember(service.database, organizationId, 'owner');
    await createMember(service.database, organizationId, 'admin');
    const refused = await remove(as(owner.token));
    expect(refused).toMatchObject({ status: 409, body: { code: 'last_owner' } });
    expect(refused.body['detail']).toContain('The account is the only owner of Acme.');
    expect((await as(owner.token).get('/auth/me')).body).toMatchObject({ organizations: [{ role: 'owner' }] });
    const command = await adminWithin(environment, 'user', 'delete', '--email', owner.email);
    expect([command.code, command.err]).toEqual([2, expect.stringContaining('The account is the only owner of Acme.')]);
    const second = await createMember(service.database, organizationId, 'owner');
    expect((await remove(as(owner.token))).status).toBe(204);
    expect(await isThere(second.id)).toBe(true);
  });

  it('may be that of the only owner of an organization that awaits deletion', async () => {
    const { organizationId } = await createTenant(service);
    const owner = await createMember(service.database, organizationId, 'owner');
    await as(owner.token).delete(`/orgs/${organizationId}`);
    expect((await remove(as(owner.token))).status).toBe(204);
  });

  it('does not leave an organization without an owner when both of two owners go at once', async () => {
    const { organizationId, client, ownerClient } = await scene('owner');
    await using held = await holdRows(service.database, 'SELECT FROM organizations WHERE id = $1 FOR UPDATE', [
      organizationId,
    ]);
    const replies = [remove(client), remove(ownerClient)];
    await held.untilAwaitedBy(2);
    await held.release();
    expect((await Promise.all(replies)).map(({ status }) => status).sort()).toEqual([204, 409]);
    expect(await sql('SELECT FROM memberships WHERE organization_id = $1', organizationId)).toHaveLength(1);
  });

  it('is deleted once for concurrent requests', async () => {
    const { client, user } = await scene();
    await using held = await holdRows(service.database, 'SELECT FROM users WHERE id = $1 FOR UPDATE', [user.id]);
    const replies = [remove(client), remove(client)];
    await held.untilAwaitedBy(2);
    await held.release();
    expect((await Promise.all(replies)).map(({ status }) => status)).toEqual([204, 204]);
    expect(await actions(PLATFORM_CHAIN, user.id)).toHaveLength(1);
  });

  it('is checked again for organizations joined in the meantime', async () => {
    const { organizationId } = await createTenant(service, { name: 'Joined' });
    const user = await createUser(service.database);
    const client = as(await createSession(service.database, user.id));
    await using held = await holdRows(service.database, 'SELECT FROM users WHERE id = $1 FOR KEY SHARE', [user.id]);
    const reply = remove(client);
    await held.untilAwaitedBy(1);
    await addMember(service.database, organizationId, user.id, 'owner');
    await held.release();
    expect(await reply).toMatchObject({ status: 409, body: { code: 'last_owner' } });
  });

  it('needs the password, and a code if there is a second factor', async () => {
    const { client, user } = await scene();
    expect(await remove(client, { password: 'a guess at the password' })).toMatchObject({
      status: 403,
      body: { code: 'password_wrong' },
    });
    expect(await isThere(user.id)).toBe(true);
    const careful = await createUser(service.database, { secondFactor: true });
    const session = as(await createSession(service.database, careful.id));
    for (const code of [undefined, '000000'])
      expect(await remove(session, { code })).toMatchObject({ status: 403, body: { code: 'code_wrong' } });
    expect((await remove(session, { code: currentCode() })).status).toBe(204);
  });

  it('can be deleted while a workspace is being removed with a key of the user', async () => {
    const { organizationId, client } = await scene();
    const { id } = (await client.post(`/orgs/${organizationId}/api-keys`, { name: 'ERP' })).body;
    await using removal = await holdRows(service.database, 'SELECT FROM api_keys WHERE id = $1 FOR UPDATE', [id]);
    expect((await remove(client)).status).toBe(204);
    await removal.release();
  });

  it('can be deleted from the command line, permanently', async () => {
    const { organizationId, user } = await scene();
    const { code, out } = await adminWithin(environment, 'user', 'delete', '--email', user.email, '--json');
    expect([code, JSON.parse(out)]).toEqual([0, { email: user.email, deleted: true }]);
    expect(await isThere(user.id)).toBe(false);
    expect((await actions(organizationId, user.id)).at(-1)).toEqual([
      'member.removed',
      'command_line',
      { email: user.email, role: 'admin' },
    ]);
    await mails.mailTo(user.email, 'by an operator of this installation');
    const again = await adminWithin(environment, 'user', 'delete', '--email', user.email);
    expect([again.code, again.err]).toEqual([2, `error: there is no user with the email ${user.email}\n`]);
  });
});
