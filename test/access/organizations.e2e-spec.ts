import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { hashPassword } from '../../src/access/users/password.js';
import { RetentionJob } from '../../src/retention/retention-job.js';
import { isTimeZoneName } from '../../src/platform/http/rules/time-zone.js';
import { newId } from '../../src/platform/ids.js';
import { Api } from '../support/api.js';
import { AppClient } from '../support/app-client.js';
import {
  addMember,
  createApiKey,
  createMember,
  createOrganization,
  createTenant,
  createUser,
  TEST_PASSWORD,
} from '../support/builders.js';
import { holdRows } from '../support/held-rows.js';
import { moveToPlan } from '../support/move-to-plan.js';
import { startTestService, type TestService } from '../support/test-service.js';
import { untilCachesExpire } from '../support/time/until-caches-expire.js';

describe('organizations, members, invitations, workspaces', () => {
  let service: TestService;
  let organizationId: string;
  let owner: { id: string; email: string; client: AppClient };
  let admin: typeof owner;
  let viewer: typeof owner;
  beforeAll(async () => {
    service = await startTestService();
  });
  afterAll(() => service.close());
  beforeEach(async () => {
    organizationId = (await createOrganization(service.database)).id;
    [owner, admin, viewer] = [await member('owner'), await member('admin'), await member('viewer')];
  });

  async function member(role: 'owner' | 'admin' | 'member' | 'viewer') {
    const user = await createMember(service.database, organizationId, role);
    return { id: user.id, email: user.email, client: new AppClient(service.url, user.token) };
  }
  const nobody = () => new AppClient(service.url);
  const org = (path = '') => `/orgs/${organizationId}${path}`;

  it('are for administrators only: others see which role they lack, strangers nothing', async () => {
    expect((await nobody().get(org())).status).toBe(401);
    expect((await viewer.client.get(org())).body).toMatchObject({ status: 403, code: 'role_required' });
    expect((await admin.client.get(org())).body).toMatchObject({
      id: organizationId,
      plan: 'growth',
      ip_allowlist: [],
    });
    const stranger = await createMember(service.database, (await createOrganization(service.database)).id, 'owner');
    const strange = new AppClient(service.url, stranger.token);
    const answers = await Promise.all([org(), `/orgs/${newId()}`, '/orgs/nonsense'].map((path) => strange.get(path)));
    const alike = answers.map(({ status, body }) => JSON.stringify([status, { ...body, request_id: '' }]));
    expect(new Set(alike).size).toBe(1);
    expect(answers[0]!.status).toBe(404);
  });

  it('refuse members of a suspended organization, with the reason', async () => {
    await service.database.execute(
      "UPDATE organizations SET suspended_at = '2026-01-02', suspension_reason = 'unpaid' WHERE id = $1",
      [organizationId],
    );
    expect((await owner.client.get(org())).body).toMatchObject({
      status: 403,
      code: 'organization_suspended',
      detail: 'The organization is suspended. GET /auth/me shows since when, and why.',
    });
    const key = await createApiKey(service, organizationId);
    expect((await new Api(service.url, key).get('/usage')).body).toMatchObject({
      code: 'organization_suspended',
      detail: 'The organization is suspended. GET /auth/me shows its members since when, and why.',
    });
    expect((await owner.client.get('/auth/me')).body['organizations']).toMatchObject([
      { suspended_at: '2026-01-02T00:00:00.000Z', suspension_reason: 'unpaid' },
    ]);
  });

  it('change name, allowlist, region, retention and overage limit, and report invalid values', async () => {
    const change = {
      name: 'Acme',
      ip_allowlist: ['10.1.2.3/8', '2001:DB8::1'],
      data_region: 'eu',
      retention_months: 24,
      overage_limit: 20,
    };
    expect((await admin.client.patch(org(), change)).body).toMatchObject({
      ...change,
      ip_allowlist: ['10.0.0.0/8', '2001:db8::1/128'],
    });
    expect((await admin.client.patch(org(), { data_region: null })).body).toMatchObject({
      name: 'Acme',
      data_region: null,
      retention_months: 24,
      overage_limit: 20,
    });
    expect((await admin.client.patch(org(), { overage_limit: null })).body).toMatchObject({ overage_limit: null });
    await admin.client.patch(org(), { overage_limit: 0 });
    expect((await admin.client.get(org())).body).toMatchObject({ overage_limit: 0, retention_months: 24 });
    for (const [body, param] of [
      [{ ip_allowlist: ['10.0.0.0/33'] }, 'ip_allowlist'],
      [{ ip_allowlist: '10.0.0.0/8' }, 'ip_allowlist'],
      [{ name: '' }, 'name'],
      [{ name: null }, 'name'],
      [{ data_region: 'moon' }, 'data_region'],
      [{ retention_months: 0 }, 'retention_months'],
      [{ overage_limit: -1 }, 'overage_limit'],
      [{ overage_limit: 1.5 }, 'overage_limit'],
      [{ plan: 'enterprise' }, 'plan'],
    ] as const) {
      expect(await admin.client.patch(org(), body)).toMatchObject({ status: 400, body: { errors: [{ param }] } });
    }
    const mistyped = await admin.client.patch(org(), { ip_allowlist: ['10.0.0.0/8', '10.0.0.0/33'] });
    expect(mistyped.body['detail']).toMatch(/; entry 2 is neither$/);
  });

  it('can be changed and get keys while other work refers to them', async () => {
    await using work = await holdRows(service.database, 'SELECT FROM organizations WHERE id = $1 FOR KEY SHARE', [
      organizationId,
    ]);
    expect((await admin.client.patch(org(), { name: 'Renamed' })).status).toBe(200);
    expect((await admin.client.post(org('/api-keys'), { name: 'A key' })).status).toBe(201);
    await work.release();
  });

  it('accept no invitation while its sender is being demoted to viewer', async () => {
    const { body } = await admin.client.post<{ token: string }>(org('/invitations'), {
      email: `guest-${newId()}@example.com`,
      role: 'viewer',
    });
    await using sender = await holdRows(
      service.database,
      'SELECT FROM memberships WHERE organization_id = $1 AND user_id = $2 FOR UPDATE',
      [organizationId, admin.id],
    );
    const lowered = owner.client.patch(org(`/members/${admin.id}`), { role: 'viewer' });
    await sender.untilAwaitedBy(1);
    const acceptance = { token: body.token, name: 'Guest', password: TEST_PASSWORD };
    const accepted = nobody().post('/auth/invitations/accept', acceptance);
    await sender.untilAwaitedBy(2);
    await sender.release();
    expect([(await lowered).status, (await accepted).status]).toEqual([200, 404]);
  });

  it('list members for the access review, and log the review', async () => {
    const { body } = await admin.client.get<Record<string, unknown>[]>(org('/members'));
    expect(body.map((row) => row['role']).sort()).toEqual(['admin', 'owner', 'viewer']);
    const seen = '2026-01-15T10:00:00.000Z';
    await service.database.execute('UPDATE sessions SET last_seen_at = $2 WHERE user_id = $1', [viewer.id, seen]);
    const reviewed = await admin.client.post(org(`/members/${viewer.id}/review`));
    expect(reviewed.body).toMatchObject({ reviewed_at: expect.any(String), last_seen_at: seen });
    const { body: after } = await admin.client.get<{ user_id: string; reviewed_at: string | null }[]>(org('/members'));
    const known = after.filter(({ reviewed_at }) => reviewed_at !== null);
    expect(known.map(({ user_id }) => user_id)).toEqual([viewer.id]);
  });

  it('let nobody promote themselves, and only owners change owners', async () => {
    const setRole = (client: AppClient, id: string, role: string) => client.patch(org(`/members/${id}`), { role });
    expect((await setRole(viewer.client, viewer.id, 'admin')).body['code']).toBe('role_required');
    expect((await setRole(admin.client, admin.id, 'owner')).body['code']).toBe('role_required');
    expect((await setRole(admin.client, owner.id, 'viewer')).body['code']).toBe('role_required');
    expect((await admin.client.delete(org(`/members/${owner.id}`))).body['code']).toBe('role_required');
    expect((await setRole(admin.client, viewer.id, 'member')).body['role']).toBe('member');
    expect((await setRole(owner.client, admin.id, 'owner')).body['role']).toBe('owner');
    expect((await setRole(owner.client, viewer.id, 'emperor')).status).toBe(400);
  });

  it('do not let a waiting request undo a change of its sender’s role', async () => {
    const second = await member('owner');
    const changed = (client: AppClient, id: string, role: string) => client.patch(org(`/members/${id}`), { role });
    await using held = await holdRows(service.database, 'SELECT FROM organizations WHERE id = $1 FOR UPDATE', [
      organizationId,
    ]);
    const lowered = [
      [admin, 'viewer'],
      [second, 'admin'],
    ].map(([one, role]) => changed(owner.client, (one as typeof owner).id, role as string));
    await held.untilAwaitedBy(2);
    const undone = [
      changed(admin.client, admin.id, 'admin'),
      changed(second.client, second.id, 'owner'),
      admin.client.delete(org(`/members/${viewer.id}`)),
      admin.client.post(org('/invitations'), { email: 'mine@example.com', role: 'admin' }),
    ];
    await held.untilAwaitedBy(6);
    await held.release();
    expect((await Promise.all(lowered)).map(({ status }) => status)).toEqual([200, 200]);
    expect((await Promise.all(undone)).map(({ body }) => body['code'])).toEqual(undone.map(() => 'role_required'));
  });

  it('answer 404 to creations in an organization that is being deleted', async () => {
    await using held = await holdRows(service.database, 'SELECT FROM organizations WHERE id = $1 FOR UPDATE', [
      organizationId,
    ]);
    const made = [
      owner.client.post(org('/workspaces'), { name: 'Late' }),
      owner.client.post(org('/api-keys'), { name: 'Late' }),
      owner.client.post(org('/invitations'), { email: 'late@example.com', role: 'viewer' }),
    ];
    await held.untilAwaitedBy(made.length);
    await held.release((tx) => tx.execute('DELETE FROM organizations WHERE id = $1', [organizationId]));
    expect((await Promise.all(made)).map(({ status }) => status)).toEqual([404, 404, 404]);
  });

  it('keep an owner when two of them leave at once', async () => {
    expect((await owner.client.delete(org(`/members/${owner.id}`))).body['code']).toBe('last_owner');
    expect((await owner.client.patch(org(`/members/${owner.id}`), { role: 'admin' })).body['code']).toBe('last_owner');
    const second = await member('owner');
    const replies = await Promise.all([
      owner.client.delete(org(`/members/${owner.id}`)),
      second.client.delete(org(`/members/${second.id}`)),
    ]);
    expect(replies.map((reply) => reply.status).sort()).toEqual([204, 409]);
  });

  it('let members of every role leave at once, except the last owner', async () => {
    const left = (one: typeof owner) => one.client.delete(org('/members/me'));
    for (const role of ['viewer', 'member', 'admin', 'owner'] as const) {
      const leaver = await member(role);
      expect((await left(leaver)).status).toBe(204);
      expect((await leaver.client.get(org())).status).toBe(404);
      expect((await left(leaver)).body['code']).toBe('not_found');
    }
    const owners = (await owner.client.get<{ role: string }[]>(org('/members'))).body.filter(
      (row) => row.role === 'owner',
    );
    expect(owners).toHaveLength(1);
    expect(await left(owner)).toMatchObject({ status: 409, body: { code: 'last_owner' } });
  });

  it('take access away at once from a removed member', async () => {
    expect((await owner.client.delete(org(`/members/${admin.id}`))).status).toBe(204);
    expect((await admin.client.get(org())).status).toBe(404);
  });

  it('withdraw the invitations of a member who is removed, leaves, or may no longer invite', async () => {
    const second = await member('owner');
    const invite = (from: typeof owner, email: string, role: string) =>
      from.client.post(org('/invitations'), { email, role });
    const invited = async () =>
      (await owner.client.get<{ email: string }[]>(org('/invitations'))).body.map(({ email }) => email).sort();
    await invite(owner, 'kept@example.com', 'owner');
    await invite(admin, 'a@example.com', 'admin');
    await invite(admin, 'expired@example.com', 'viewer');
    await service.database.execute(`UPDATE invitations SET expires_at = now() WHERE email = 'expired@example.com'`);
    await owner.client.delete(org(`/members/${admin.id}`));
    expect(await invited()).toEqual(['kept@example.com']);

    await invite(second, 'b@example.com', 'owner');
    await invite(second, 'c@example.com', 'viewer');
    await owner.client.patch(org(`/members/${second.id}`), { role: 'admin' });
    expect(await invited()).toEqual(['c@example.com', 'kept@example.com']);
    await owner.client.patch(org(`/members/${second.id}`), { role: 'member' });
    expect(await invited()).toEqual(['kept@example.com']);

    const leaver = await member('admin');
    await invite(leaver, 'd@example.com', 'viewer');
    await leaver.client.delete(org('/members/me'));
    expect(await invited()).toEqual(['kept@example.com']);
    const log = await owner.client.get<{ details: { email: string } }[]>(org('/audit-log?action=invitation.revoked'));
    expect(log.body.map(({ details }) => details.email)).toEqual(
      ['d', 'c', 'b', 'a'].map((name) => `${name}@example.com`),
    );
  });

  it('invite a person who creates an account, once', async () => {
    const invited = await admin.client.post<{ token: string; id: string }>(org('/invitations'), {
      email: 'Grace@Example.com',
      role: 'member',
    });
    expect(invited.body).toMatchObject({ email: 'grace@example.com', role: 'member', accept_url: null });
    expect((await admin.client.get<unknown[]>(org('/invitations'))).body).toHaveLength(1);
    const accept = () =>
      nobody().post('/auth/invitations/accept', {
        token: invited.body.token,
        name: 'Grace',
        password: 'a compiler is born',
      });
    const replies = await Promise.all([accept(), accept(), accept()]);
    expect(replies.map((reply) => reply.status).sort()).toEqual([200, 404, 404]);
    const login = await nobody().post<{ token: string }>('/auth/login', {
      email: 'grace@example.com',
      password: 'a compiler is born',
    });
    const me = await new AppClient(service.url, login.body.token).get('/auth/me');
    expect(me.body['organizations']).toMatchObject([{ organization_id: organizationId, role: 'member' }]);
    expect((await admin.client.get<unknown[]>(org('/invitations'))).body).toHaveLength(0);
  });

  it('revoke an open invitation when the address is invited again, and record it', async () => {
    const invite = async (role: string) =>
      (await admin.client.post<Record<string, string>>(org('/invitations'), { email: 'twice@example.com', role })).body;
    const [first, second] = [await invite('admin'), await invite('viewer')];
    const ids = (await admin.client.get<{ id: string }[]>(org('/invitations'))).body.map(({ id }) => id);
    expect(ids).toEqual([second['id']]);
    const guest = { name: 'Guest', password: 'a compiler is born' };
    const accept = (token: string | undefined) => nobody().post('/auth/invitations/accept', { ...guest, token });
    expect((await accept(first['token'])).status).toBe(404);
    expect((await accept(second['token'])).body).toMatchObject({ role: 'viewer' });
    const log = await owner.client.get<{ actor: object; details: object }[]>(
      org(`/audit-log?action=invitation.revoked&target_id=${first['id']}`),
    );
    expect(log.body).toMatchObject([{ actor: { id: admin.id }, details: { email: 'twice@example.com' } }]);
  });

  it('add a membership to an existing account only with its password', async () => {
    const user = await createUser(service.database);
    const { body } = await admin.client.post<{ token: string }>(org('/invitations'), {
      email: user.email,
      role: 'viewer',
    });
    const accept = (password: string) =>
      nobody().post('/auth/invitations/accept', { token: body.token, name: 'X', password });
    expect((await accept('not the password')).body['code']).toBe('credentials_invalid');
    expect((await accept(TEST_PASSWORD)).body).toMatchObject({ organization_id: organizationId, role: 'viewer' });
  });

  it('accept a password of spaces for an account that has one, but not for a new account', async () => {
    const blank = ' '.repeat(12);
    const accept = async (email: string) => {
      const { body } = await admin.client.post<{ token: string }>(org('/invitations'), { email, role: 'viewer' });
      return nobody().post('/auth/invitations/accept', { token: body.token, name: 'X', password: blank });
    };
    expect((await accept('new@example.com')).body).toMatchObject({
      code: 'invalid_request',
      errors: [{ param: 'password', message: 'must not consist of spaces only' }],
    });
    const user = await createUser(service.database);
    await service.database.execute('UPDATE users SET password_hash = $1 WHERE id = $2', [
      await hashPassword(blank),
      user.id,
    ]);
    expect((await accept(user.email)).status).toBe(200);
  });

  it('accept an easily guessed password for an account that has one, but not for a new account, which may try again', async () => {
    const open = async (email: string) => {
      const { body } = await admin.client.post<{ token: string }>(org('/invitations'), { email, role: 'viewer' });
      return (password: string) =>
        nobody().post('/auth/invitations/accept', { token: body.token, name: 'Ann Gould', password });
    };
    const accept = await open('gould@example.com');
    const message = expect.stringMatching(/^must be harder to guess: it is similar to a common password;/);
    expect(await accept('password1234')).toMatchObject({
      status: 400,
      body: { errors: [{ param: 'password', message }] },
    });
    expect((await accept('Ann Gould 2026')).status).toBe(400);
    expect((await accept('seven quiet rivers at dawn')).status).toBe(200);
    const user = await createUser(service.database, { password: 'password1234' });
    expect((await (await open(user.email))('password1234')).status).toBe(200);
  });

  it('let a person who became a member since the invitation keep the role given then', async () => {
    const user = await createUser(service.database);
    const { body } = await admin.client.post<{ token: string }>(org('/invitations'), {
      email: user.email,
      role: 'viewer',
    });
    await addMember(service.database, organizationId, user.id, 'owner');
    const accepted = await nobody().post('/auth/invitations/accept', {
      token: body.token,
      name: 'X',
      password: TEST_PASSWORD,
    });
    expect(accepted.body).toMatchObject({ organization_id: organizationId, role: 'owner' });
    const { body: members } = await owner.client.get<{ user_id: string; role: string }[]>(org('/members'));
    expect(members.find(({ user_id }) => user_id === user.id)?.role).toBe('owner');
  });

  it('create one account for an address that accepts invitations of several organizations at once', async () => {
    const email = 'ada@example.com';
    const tokens = [];
    for (let count = 0; count < 4; count += 1) {
      const { id } = await createOrganization(service.database);
      const inviter = await createMember(service.database, id, 'owner');
      const { body } = await new AppClient(service.url, inviter.token).post<{ token: string }>(
        `/orgs/${id}/invitations`,
        { email, role: 'member' },
      );
      tokens.push(body.token);
    }
    const replies = await Promise.all(
      tokens.map((token) =>
        nobody().post('/auth/invitations/accept', { token, name: 'Ada', password: 'notes on the engine' }),
      ),
    );
    expect(replies.map((reply) => reply.status)).toEqual([200, 200, 200, 200]);
    const memberships = await service.database.query(
      `SELECT m.organization_id FROM memberships m JOIN users u ON u.id = m.user_id WHERE u.email = $1`,
      [email],
    );
    expect(memberships).toHaveLength(4);
  });

  it('accept any number of concurrent invitations with as few connections as there may be', async () => {
    const small = await startTestService({
      environment: { DATABASE_POOL: '2' },
      database: { url: service.databaseUrl, drop: () => Promise.resolve() },
    });
    try {
      const tokens = [];
      for (let guest = 0; guest < 6; guest += 1) {
        const { email } = await createUser(service.database);
        tokens.push((await admin.client.post(org('/invitations'), { email, role: 'viewer' })).body['token']);
      }
      const accepting = new AppClient(small.url);
      const replies = await Promise.all(
        tokens.map((token) =>
          accepting.post('/auth/invitations/accept', { token, name: 'X', password: TEST_PASSWORD }),
        ),
      );
      expect(replies.map((reply) => reply.status)).toEqual(tokens.map(() => 200));
    } finally {
      await small.close();
    }
  });

  it('accept an invitation while the same guest is invited again', async () => {
    const { email } = await createUser(service.database);
    const invite = () => admin.client.post(org('/invitations'), { email, role: 'viewer' });
    const { token } = (await invite()).body;
    await using invitation = await holdRows(service.database, 'SELECT FROM invitations WHERE email = $1 FOR UPDATE', [
      email,
    ]);
    const accepted = nobody().post('/auth/invitations/accept', { token, name: 'X', password: TEST_PASSWORD });
    await invitation.untilAwaitedBy(1);
    const invited = invite();
    await invitation.untilAwaitedBy(2);
    await invitation.release();
    expect((await accepted).status).toBe(200);
    expect((await invited).body).toMatchObject({ status: 409, code: 'already_member' });
  });

  it('refuse invitations that are withdrawn, expired, to members, to owners by admins, or beyond the plan', async () => {
    const invite = (client: AppClient, email: string, role = 'viewer') =>
      client.post<{ id: string; token: string; code: string }>(org('/invitations'), { email, role });
    const accept = async (token: string) =>
      (await nobody().post('/auth/invitations/accept', { token, name: 'X', password: 'long enough password' })).status;
    const withdrawn = await invite(admin.client, 'a@example.com');
    const kept = await invite(admin.client, 'kept@example.com');
    expect((await admin.client.delete(org(`/invitations/${withdrawn.body.id}`))).status).toBe(204);
    expect([await accept(withdrawn.body.token), await accept(kept.body.token)]).toEqual([404, 200]);
    // the invitations of a demoted member are revoked, but releases up to 0.10.0 left them open
    const demoted = await member('admin');
    const orphaned = await invite(demoted.client, 'orphan@example.com');
    await service.database.execute(
      `UPDATE memberships SET role = 'viewer' WHERE organization_id = $1 AND user_id = $2`,
      [organizationId, demoted.id],
    );
    expect(await accept(orphaned.body.token)).toBe(404);
    const expired = await invite(admin.client, 'b@example.com');
    await service.database.execute(`UPDATE invitations SET expires_at = now() WHERE id = $1`, [expired.body.id]);
    expect(await accept(expired.body.token)).toBe(404);
    expect((await admin.client.delete(org(`/invitations/${expired.body.id}`))).status).toBe(404);
    expect((await invite(admin.client, viewer.email)).body.code).toBe('already_member');
    expect((await invite(admin.client, 'c@example.com', 'owner')).body.code).toBe('role_required');
    expect((await invite(admin.client, 'x'.repeat(10_000))).status).toBe(400);
    await service.database.execute(`UPDATE organizations SET plan = 'free' WHERE id = $1`, [organizationId]);
    expect((await invite(admin.client, 'd@example.com')).body).toMatchObject({
      code: 'plan_limit_reached',
      detail: 'The free plan allows 2 members, including open invitations.',
      limit: 2,
      used: 6,
    });
  });

  it('accept no more invitations than the plan has seats, even concurrently', async () => {
    const tokens: string[] = [];
    for (const at of [1, 2, 3, 4]) {
      const email = `late-${at}-${newId()}@example.com`;
      const invited = await admin.client.post<{ token: string }>(org('/invitations'), { email, role: 'viewer' });
      tokens.push(invited.body.token);
    }
    const accept = (token: string) =>
      nobody().post('/auth/invitations/accept', { token, name: 'X', password: TEST_PASSWORD });
    await moveToPlan(service, organizationId, 'starter');
    const replies = await Promise.all(tokens.map(accept));
    const refused = tokens.filter((_, at) => replies[at]!.status !== 200);
    expect(refused).toHaveLength(2);
    expect((await accept(refused[0]!)).body).toMatchObject({
      ...{ status: 409, code: 'plan_limit_reached', limit: 5, used: 5 },
      detail:
        'The starter plan allows 5 members, and the organization has reached this limit. Contact the person who invited you.',
    });
    expect((await admin.client.get<unknown[]>(org('/members'))).body).toHaveLength(5);
    expect((await admin.client.get<unknown[]>(org('/invitations'))).body).toHaveLength(2);
    await moveToPlan(service, organizationId, 'growth');
    expect((await Promise.all(refused.map(accept))).map(({ status }) => status)).toEqual([200, 200]);
  });

  it('create no more workspaces than the plan allows, even concurrently', async () => {
    const replies = await Promise.all(
      Array.from({ length: 9 }, (_, index) =>
        admin.client.post(org('/workspaces'), { name: `W${index}`, time_zone: 'Europe/Berlin' }),
      ),
    );
    expect(replies.filter((reply) => reply.status === 201)).toHaveLength(5);
    expect(replies.filter((reply) => reply.body['code'] === 'plan_limit_reached')).toHaveLength(4);
    const { body } = await admin.client.get<{ id: string }[]>(org('/workspaces'));
    expect((await admin.client.patch(org(`/workspaces/${body[0]!.id}`), { name: 'Renamed' })).body).toMatchObject({
      name: 'Renamed',
      time_zone: 'Europe/Berlin',
    });
    expect((await admin.client.patch(org(`/workspaces/${body[0]!.id}`), { time_zone: 'Mars/Olympus' })).status).toBe(
      400,
    );
    expect((await admin.client.delete(org(`/workspaces/${body[0]!.id}`))).status).toBe(204);
    expect((await admin.client.delete(org(`/workspaces/${body[0]!.id}`))).status).toBe(404);
  });

  it('accept only time zones that the database reads like the service', async () => {
    const made = async (name: string) =>
      (await admin.client.post(org('/workspaces'), { name: 'Zoned', time_zone: name })).status;
    const refused = ['+05:30', '+0530', '-03', 'IST', 'PST', 'CET', 'EET', 'Mars/Olympus', ''];
    expect(await Promise.all(refused.map(made))).toEqual(refused.map(() => 400));
    expect(await Promise.all(['UTC', 'Asia/Kolkata', 'europe/berlin'].map(made))).toEqual([201, 201, 201]);

    const taken = Intl.supportedValuesOf('timeZone').filter((name) => isTimeZoneName(name));
    const summer = new Date('2026-07-15T12:00:00Z');
    const read = await service.database.query<{ name: string; hour: string }>(
      `SELECT name, to_char($1::timestamptz AT TIME ZONE name, 'DD HH24:MI') AS hour FROM unnest($2::text[]) AS name`,
      [summer, taken],
    );
    const format = { day: '2-digit', hour: '2-digit', minute: '2-digit' } as const;
    const ours = taken.map((timeZone) => ({
      name: timeZone,
      hour: summer.toLocaleString('sv', { ...format, timeZone }),
    }));
    expect(read).toEqual(ours);
  });

  it('keep a workspace name set by another request during a time zone change', async () => {
    const { body } = await admin.client.post<{ id: string }>(org('/workspaces'), { name: 'Retail' });
    await using held = await holdRows(service.database, 'SELECT FROM workspaces WHERE id = $1 FOR UPDATE', [body.id]);
    const late = admin.client.patch(org(`/workspaces/${body.id}`), { time_zone: 'Europe/Berlin' });
    await held.untilAwaitedBy(1);
    await held.release((tx) => tx.execute(`UPDATE workspaces SET name = 'Wholesale' WHERE id = $1`, [body.id]));
    expect((await late).body).toMatchObject({ name: 'Wholesale', time_zone: 'Europe/Berlin' });
  });

  it('change and delete one workspace alone', async () => {
    const create = async (name: string) =>
      (await admin.client.post<{ id: string }>(org('/workspaces'), { name })).body.id;
    const [changed, kept, deleted] = [await create('Changed'), await create('Kept'), await create('Deleted')];
    const change = { name: 'Renamed', time_zone: 'Europe/Berlin' };
    expect((await admin.client.patch(org(`/workspaces/${changed}`), change)).status).toBe(200);
    expect((await admin.client.delete(org(`/workspaces/${deleted}`))).status).toBe(204);
    expect((await admin.client.get(org('/workspaces'))).body).toMatchObject([
      { id: kept, name: 'Kept', time_zone: 'UTC' },
      { id: changed, ...change },
    ]);
    expect((await admin.client.get('/auth/me')).body['organizations']).toMatchObject([
      { workspaces: [{ id: kept }, { id: changed }] },
    ]);
  });

  it('delete a workspace once for concurrent requests', async () => {
    const { body } = await admin.client.post<{ id: string }>(org('/workspaces'), { name: 'Retail' });
    await using held = await holdRows(service.database, 'SELECT FROM workspaces WHERE id = $1 FOR UPDATE', [body.id]);
    const replies = [1, 2].map(() => admin.client.delete(org(`/workspaces/${body.id}`)));
    await held.untilAwaitedBy(2);
    await held.release();
    expect((await Promise.all(replies)).map(({ status }) => status).sort()).toEqual([204, 404]);
    const audit = await admin.client.get<unknown[]>(org('/audit-log?action=workspace.deleted'));
    expect(audit.body).toHaveLength(1);
  });

  it("do not touch another organization's workspace or member", async () => {
    const foreign = await createTenant(service);
    const stranger = await createMember(service.database, foreign.organizationId, 'viewer');
    expect((await owner.client.patch(org(`/workspaces/${foreign.workspaceId}`), { name: 'Mine' })).status).toBe(404);
    expect((await owner.client.delete(org(`/workspaces/${foreign.workspaceId}`))).status).toBe(404);
    expect((await owner.client.delete(org(`/members/${stranger.id}`))).status).toBe(404);
    expect((await owner.client.patch(org(`/members/${stranger.id}`), { role: 'admin' })).status).toBe(404);
  });

  it('are deleted 30 days after an owner requests it, unless cancelled', async () => {
    const clean = () => service.app.get(RetentionJob).sweepDue();
    const exists = async () =>
      (await service.database.query('SELECT id FROM organizations WHERE id = $1', [organizationId])).length === 1;
    const key = await createApiKey(service, organizationId);
    const api = new Api(service.url, key);
    const use = async () => (await api.get('/usage')).status;
    const own = async () => (await admin.client.get<{ organizations: unknown[] }>('/auth/me')).body.organizations;
    expect((await admin.client.delete(org())).body['code']).toBe('role_required');
    const asked = await owner.client.delete<{ delete_after: string }>(org());
    expect(asked.status).toBe(202);
    expect((Date.parse(asked.body.delete_after) - Date.now()) / 86_400_000).toBeCloseTo(30, 1);
    expect((await owner.client.delete<{ delete_after: string }>(org())).body.delete_after).toBe(
      asked.body.delete_after,
    );
    expect(await own()).toMatchObject([{ delete_after: asked.body.delete_after }]);
    const day = asked.body.delete_after.slice(0, 10);
    expect(await api.get('/usage')).toMatchObject({
      status: 403,
      body: {
        code: 'organization_suspended',
        detail: `The organization is scheduled for deletion on ${day}. An owner can cancel the deletion until then.`,
      },
    });
    expect((await owner.client.post(org('/restore'))).body['delete_after']).toBeNull();
    expect(await use()).toBe(200);

    await owner.client.delete(org());
    await clean();
    expect(await exists()).toBe(true);
    await service.database.execute(
      `UPDATE organizations SET delete_after = now() - interval '1 second' WHERE id = $1`,
      [organizationId],
    );
    expect((await admin.client.get(org())).status).toBe(404);
    expect(await own()).toEqual([]);
    await clean();
    expect(await exists()).toBe(false);
    await untilCachesExpire();
    expect(await use()).toBe(401);
  });
});
