import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { PLATFORM_CHAIN } from '../../src/access/audit/audit-event.js';
import { insertPasswordReset } from '../../src/access/password-reset/password-resets.queries.js';
import { generateLinkToken, hashLinkToken } from '../../src/access/users/link-token.js';
import { Clock } from '../../src/platform/clock.js';
import { newId } from '../../src/platform/ids.js';
import { composeMail } from '../../src/platform/mail/mail.js';
import { endMessage, insertMessage, noteMailFailure, takeDueMessages } from '../../src/platform/mail/mail.queries.js';
import { MailOutbox } from '../../src/platform/mail/mail-outbox.js';
import { adminWithin } from '../support/admin.js';
import { AppClient } from '../support/app-client.js';
import { currentCode } from '../support/authenticator.js';
import {
  createApiKey,
  createMember,
  createOrganization,
  createSession,
  createUser,
  TEST_PASSWORD,
} from '../support/builders.js';
import { holdRows } from '../support/held-rows.js';
import { MailServer } from '../support/mail/mail-server.js';
import {
  commandSettings,
  mailSettings,
  untilMailSent,
  PUBLIC_URL,
  startMailedService,
} from '../support/mail/mailed-service.js';
import { speedUpRounds } from '../support/time/fast-rounds.js';
import { eventually } from '../support/eventually.js';
import { startTestService, type TestService } from '../support/test-service.js';

describe('e-mail', () => {
  speedUpRounds(MailOutbox);
  const mails = new MailServer();
  let service: TestService;
  beforeAll(async () => {
    service = await startMailedService(mails);
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    mails.refusal = undefined;
    await untilMailSent(service);
    mails.received.length = 0;
  });
  afterAll(() => service.close());

  const nobody = () => new AppClient(service.url);
  const sql = (text: string, ...values: unknown[]) => service.database.query<Record<string, unknown>>(text, values);
  const tokenIn = (content: string) => /#(f[ir]_[\w-]{43})/.exec(content)?.[1] ?? '';
  async function admin() {
    const { id } = await createOrganization(service.database, { name: 'Möbel & Söhne' });
    const user = await createMember(service.database, id, 'owner');
    return { organizationId: id, email: user.email, client: new AppClient(service.url, user.token) };
  }
  const invite = (owner: Awaited<ReturnType<typeof admin>>, email: string) =>
    owner.client.post(`/orgs/${owner.organizationId}/invitations`, { email, role: 'member' });
  const retryNow = () => sql(`UPDATE mail_messages SET next_attempt_at = now() WHERE status = 'pending'`);

  it('sends an invitation in text and HTML that names the inviter and whose link creates a member', async () => {
    const owner = await admin();
    const reply = await invite(owner, 'grace@example.com');
    expect(reply.body).toMatchObject({ emailed: true, token: null, accept_url: null });
    const { raw, content } = await mails.mailTo('grace@example.com', 'has invited you to join');
    expect(raw).toMatch(/^From: Forecasts <no-reply@example.com>\r$/m);
    expect(raw).toMatch(/^Message-ID: <[0-9a-f-]{36}@example.com>\r$/m);
    for (const type of ['text/plain', 'text/html']) expect(raw).toContain(`Content-Type: ${type}; charset=utf-8`);
    expect(content.replaceAll(/\s+/g, ' ')).toContain(
      `${owner.email} (Test User) has invited you to join Möbel & Söhne as member`,
    );
    expect(content).toContain('Möbel &amp; Söhne');
    expect(content).toContain('<meta name="viewport"');
    expect(content).toContain(`${PUBLIC_URL}/invitations#fi_`);
    expect(content).toMatch(/The link works once and expires on \d+ \w+ 20\d\d at \d\d:\d\d UTC\./);
    expect(content.replaceAll(/\s+/g, ' ')).toContain(
      `with your email address and password: POST ${PUBLIC_URL}/auth/login`,
    );
    expect(content).toContain(`${PUBLIC_URL}/docs`);

    const accepted = await nobody().post('/auth/invitations/accept', {
      token: tokenIn(content),
      name: 'Grace',
      password: 'a compiler is born',
    });
    expect(accepted.status).toBe(200);
    await mails.mailTo(owner.email, 'grace@example.com has accepted your invitation');
  });

  it('contains no other links, whatever the names of organization and inviter', async () => {
    const owner = await admin();
    const trap = 'https://trap.example/#fi_ or www.trap.example, c/o me@trap.example';
    await owner.client.patch('/auth/me', { name: trap });
    await owner.client.patch(`/orgs/${owner.organizationId}`, { name: trap });
    await invite(owner, 'wary@example.com');
    const { content } = await mails.mailTo('wary@example.com', 'has invited you to join');
    expect(content).toContain(owner.email);
    expect(content).not.toMatch(/(:\/\/|\.|@)trap|trap\.example/);
    expect(content.replaceAll('\u200b', '').replaceAll(/\s+/g, ' ')).toContain(trap);
  });

  it('limits the invitations to one address', async () => {
    const [owner, other] = [await admin(), await admin()];
    const replies = [];
    for (let time = 0; time < 12; time += 1) replies.push(await invite(owner, 'weary@example.com'));
    expect(replies.slice(0, 5).map(({ status }) => status)).toEqual([201, 201, 201, 201, 201]);
    const refused = replies.find(({ status }) => status === 429);
    expect(refused?.body).toMatchObject({ code: 'too_many_attempts' });
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await invite(owner, 'fresh@example.com')).status).toBe(201);
    expect((await invite(other, 'weary@example.com')).status).toBe(201);
  });

  it('limits the invitations of an organization that revokes them and invites others', async () => {
    const owner = await admin();
    jest.spyOn(service.app.get(Clock), 'now').mockReturnValue(new Date()); // no wait is over, however slow the machine
    const statuses = [];
    for (let time = 0; time < 31; time += 1) {
      const reply = await invite(owner, `stranger-${time}@example.com`);
      statuses.push(reply.status);
      await owner.client.delete(`/orgs/${owner.organizationId}/invitations/${String(reply.body['id'])}`);
    }
    expect(statuses).toEqual([...Array<number>(30).fill(201), 429]);
    expect((await invite(await admin(), 'stranger-1@example.com')).status).toBe(201);
  });

  it('does not count an invitation that the sender’s role does not allow', async () => {
    const { organizationId } = await admin();
    const { token } = await createMember(service.database, organizationId, 'admin');
    const invited = (role: string) =>
      new AppClient(service.url, token).post(`/orgs/${organizationId}/invitations`, { email: 'o@example.com', role });
    for (let time = 0; time < 12; time += 1)
      expect(await invited('owner')).toMatchObject({ status: 403, body: { code: 'role_required' } });
    expect((await invited('admin')).status).toBe(201);
  });

  it('does not count invitations of a member, or beyond the plan, of which no email was sent', async () => {
    const owner = await admin();
    const member = await createMember(service.database, owner.organizationId, 'viewer');
    for (let time = 0; time < 8; time += 1)
      expect((await invite(owner, member.email)).body).toMatchObject({ code: 'already_member' });
    await sql(`UPDATE organizations SET plan = 'free' WHERE id = $1`, owner.organizationId);
    for (let time = 0; time < 32; time += 1)
      expect((await invite(owner, 'third@example.com')).body).toMatchObject({ code: 'plan_limit_reached' });
    await sql(`UPDATE organizations SET plan = 'growth' WHERE id = $1`, owner.organizationId);
    expect((await invite(owner, 'third@example.com')).status).toBe(201);
  });

  it.each([
    ['has left since', 'admin', 'viewer', null],
    ['is no admin any more', 'admin', 'viewer', 'member'],
    ['is no owner any more, of another one', 'owner', 'owner', 'admin'],
  ] as const)('creates no member from an invitation of someone who %s', async (_, role, offered, left) => {
    const owner = await admin();
    const guest = `guest-of-${role}-${left}@example.com`;
    const former = await createMember(service.database, owner.organizationId, role);
    const sender = new AppClient(service.url, former.token);
    await sender.post(`/orgs/${owner.organizationId}/invitations`, { email: guest, role: offered });
    const { content } = await mails.mailTo(guest, 'has invited you to join');
    // as releases up to 0.10.0 removed and lowered members: their invitations stayed open
    await (left === null
      ? sql('DELETE FROM memberships WHERE user_id = $1', former.id)
      : sql('UPDATE memberships SET role = $2 WHERE user_id = $1', former.id, left));
    const taken = { token: tokenIn(content), name: 'Late', password: 'a compiler is born' };
    const refused = await nobody().post('/auth/invitations/accept', taken);
    expect(refused).toMatchObject({ status: 404, body: { detail: 'The open invitation does not exist.' } });
  });

  it('stores no mail in readable form, neither while it waits nor afterwards', async () => {
    const owner = await admin();
    mails.refusal = { code: 451, at: 'data' };
    await invite(owner, 'waiting@example.com');
    const row = () => sql(`SELECT *, sealed::text AS bytes FROM mail_messages ORDER BY id DESC LIMIT 1`);
    await eventually('it was tried', async () => ((await row())[0]!['last_error'] === null ? undefined : true));
    expect(JSON.stringify(await row())).not.toContain('waiting@example.com');
    mails.refusal = undefined;
    await retryNow();
    await mails.mailTo('waiting@example.com', 'has invited you');
    await eventually('it has ended', async () => ((await row())[0]!['status'] === 'sent' ? true : undefined));
    expect((await row())[0]).toMatchObject({ sealed: null, last_error: null, attempts: 2 });
  });

  it('survives a dead mail server: loses no mail, fails no request, sends each once', async () => {
    const owner = await admin();
    await mails.stop();
    const addresses = Array.from({ length: 6 }, (_, index) => `guest-${index}@example.com`);
    for (const address of addresses) expect((await invite(owner, address)).status).toBe(201);
    await eventually('all were tried in vain', async () => {
      const rows = await sql(`SELECT 1 FROM mail_messages WHERE status = 'pending' AND last_error IS NOT NULL`);
      return rows.length === addresses.length ? true : undefined;
    });
    await mails.start();
    await retryNow();
    for (const address of addresses) await mails.mailTo(address, 'has invited you');
    expect(mails.received).toHaveLength(addresses.length);
  });

  it('sends emails in the order in which they were stored, even if the server takes longer for the first', async () => {
    const subjects = ['will be deleted', 'the deletion was canceled', 'was renamed'];
    const expiresAt = new Date(Date.now() + 60_000);
    mails.delayOfNextMs = 500;
    await service.database.transaction(async (tx) => {
      for (const subject of subjects) {
        const mail = composeMail({ to: 'owner@example.com', subject, paragraphs: [] });
        await service.app.get(MailOutbox).post(tx, { kind: 'notice', mail, expiresAt });
      }
    });
    await untilMailSent(service);
    expect(mails.received.map(({ raw }) => /^Subject: (.*)\r$/m.exec(raw)?.[1])).toEqual(subjects);
  });

  it('keeps mails whose sender the server refuses until the operator corrects it', async () => {
    const owner = await admin();
    mails.refusal = { code: 550, at: 'sender' };
    await invite(owner, 'patient@example.com');
    const newest = async () => (await sql(`SELECT * FROM mail_messages ORDER BY id DESC LIMIT 1`))[0]!;
    await eventually('it was tried', async () => ((await newest())['last_error'] === null ? undefined : true));
    expect((await newest())['status']).toBe('pending');
    mails.refusal = undefined;
    await retryNow();
    await mails.mailTo('patient@example.com', 'has invited you');
  });

  it('gives up when the server refuses permanently or the mail has expired', async () => {
    const owner = await admin();
    mails.refusal = { code: 550, at: 'recipient' };
    await invite(owner, 'no-such-user@möbel.example');
    const newest = async () => (await sql(`SELECT * FROM mail_messages ORDER BY id DESC LIMIT 1`))[0]!;
    await eventually('it is refused', async () => ((await newest())['status'] === 'refused' ? true : undefined));
    expect((await newest())['last_error']).toMatch(/<\(recipient\)>: refused by the test$/);
    mails.refusal = { code: 451, at: 'recipient' };
    await invite(owner, 'too-late@example.com');
    await sql(`UPDATE mail_messages SET expires_at = now() WHERE status = 'pending'`);
    await eventually('it has expired', async () => ((await newest())['status'] === 'expired' ? true : undefined));
    expect(await newest()).toMatchObject({ sealed: null });
    expect(mails.received).toEqual([]);
  });

  it('sets a forgotten password through a single-use link and ends all sessions', async () => {
    const user = await createUser(service.database, { secondFactor: true });
    const session = new AppClient(service.url, await createSession(service.database, user.id));
    const asked = await nobody().post('/auth/password-reset', { email: user.email.toUpperCase() });
    expect([asked.status, asked.text]).toEqual([202, '']);
    const { content } = await mails.mailTo(user.email, 'requested a new password');
    expect(content).toContain(`${PUBLIC_URL}/password-reset#fr_`);
    const confirm = (new_password: string, token = tokenIn(content)) =>
      nobody().post('/auth/password-reset/confirm', { token, new_password });
    expect((await confirm('short')).status).toBe(400);
    const replies = await Promise.all([confirm('a new long password'), confirm('a new long password')]);
    expect(replies.map((reply) => reply.status).sort()).toEqual([204, 404]);
    expect((await confirm('a new long password', 'fr_unknown')).status).toBe(404);
    expect((await session.get('/auth/me')).status).toBe(401);
    const login = (password: string, code?: string) =>
      nobody().post('/auth/login', { email: user.email, password, ...(code === undefined ? {} : { code }) });
    expect((await login(TEST_PASSWORD, currentCode())).status).toBe(401);
    expect((await login('a new long password')).body['code']).toBe('second_factor_required');
    expect((await login('a new long password', currentCode())).status).toBe(200);
    await mails.mailTo(user.email, 'The password of your account was changed');
    const events = await sql(
      'SELECT action FROM audit_events WHERE organization_id = $1 AND target_id = $2',
      PLATFORM_CHAIN,
      user.id,
    );
    expect(events.map((event) => event['action'])).toEqual(
      expect.arrayContaining(['password.reset_requested', 'password.reset']),
    );
  });

  it('answers alike whether or not an address has an account, and sends nothing if it has none', async () => {
    const user = await createUser(service.database);
    const known = await nobody().post('/auth/password-reset', { email: user.email });
    const unknown = await nobody().post('/auth/password-reset', { email: 'nobody-at-all@example.com' });
    expect([known.status, known.text]).toEqual([unknown.status, unknown.text]);
    await mails.mailTo(user.email, 'requested a new password');
    expect(mails.received).toHaveLength(1);
    const replies = [];
    for (let again = 0; again < 7; again += 1)
      replies.push(await nobody().post('/auth/password-reset', { email: 'nobody-at-all@example.com' }));
    expect(replies.at(-1)!.body).toMatchObject({ status: 429, code: 'too_many_attempts' });
  });

  it('lifts the throttling of wrong guesses once a forgotten password is reset', async () => {
    const user = await createUser(service.database);
    const login = (password: string) => nobody().post('/auth/login', { email: user.email, password });
    for (let guess = 0; guess < 8; guess += 1) await login('forgotten');
    // long enough to be still in force once the mail is there
    await sql(
      `UPDATE sign_in_attempts SET blocked_until = now() + interval '5 minutes' WHERE blocked_until IS NOT NULL`,
    );
    expect((await login(TEST_PASSWORD)).status).toBe(429);
    await nobody().post('/auth/password-reset', { email: user.email });
    const { content } = await mails.mailTo(user.email, 'requested a new password');
    const confirmed = await nobody().post('/auth/password-reset/confirm', {
      token: tokenIn(content),
      new_password: 'a new long password',
    });
    expect(confirmed.status).toBe(204);
    expect((await login('a new long password')).status).toBe(200);
  });

  it('invalidates the links of a user who changes the password without them, and nobody else’s', async () => {
    const [user, other] = [await createUser(service.database), await createUser(service.database)];
    const client = new AppClient(service.url, await createSession(service.database, user.id));
    const linkOf = async ({ email }: { email: string }) => {
      await nobody().post('/auth/password-reset', { email });
      return tokenIn((await mails.mailTo(email, 'requested a new password')).content);
    };
    const [token, theirs] = [await linkOf(user), await linkOf(other)];
    const changed = await client.post('/auth/password', {
      current_password: TEST_PASSWORD,
      new_password: 'a new long password',
    });
    expect(changed.status).toBe(204);
    const confirm = (link: string) =>
      nobody().post('/auth/password-reset/confirm', { token: link, new_password: 'the password of a thief' });
    expect((await confirm(token)).body).toMatchObject({ status: 404, code: 'not_found' });
    expect((await confirm(theirs)).status).toBe(204);
  });

  it('accepts only one of several links of a user used concurrently', async () => {
    const user = await createUser(service.database);
    for (let round = 0; round < 5; round += 1) {
      const tokens = Array.from({ length: 4 }, () => generateLinkToken('fr'));
      for (const token of tokens) {
        await insertPasswordReset(service.database, {
          id: newId(),
          userId: user.id,
          tokenHash: hashLinkToken(token),
          createdAt: new Date(),
          expiresAt: new Date(Date.now() + 3_600_000),
        });
      }
      const replies = await Promise.all(
        tokens.map((token) =>
          nobody().post('/auth/password-reset/confirm', { token, new_password: 'a new long password' }),
        ),
      );
      expect(replies.map((reply) => reply.status).toSorted()).toEqual([204, 404, 404, 404]);
    }
  });

  it('accepts a link during a password change, then refuses the change since the old password is wrong', async () => {
    const user = await createUser(service.database);
    const client = new AppClient(service.url, await createSession(service.database, user.id));
    const token = generateLinkToken('fr');
    const [createdAt, expiresAt] = [new Date(), new Date(Date.now() + 3_600_000)];
    const reset = { id: newId(), userId: user.id, tokenHash: hashLinkToken(token), createdAt, expiresAt };
    await insertPasswordReset(service.database, reset);
    await using held = await holdRows(service.database, 'SELECT FROM users WHERE id = $1 FOR UPDATE', [user.id]);
    const confirmed = nobody().post('/auth/password-reset/confirm', { token, new_password: 'a new long password' });
    await held.untilAwaitedBy(1);
    const changed = client.post('/auth/password', {
      current_password: TEST_PASSWORD,
      new_password: 'another new password',
    });
    await held.untilAwaitedBy(2);
    await held.release();
    expect([(await confirmed).status, (await changed).status]).toEqual([204, 403]);
  });

  it('refuses an easily guessed password without using up the link', async () => {
    const user = await createUser(service.database);
    await nobody().post('/auth/password-reset', { email: user.email });
    const token = tokenIn((await mails.mailTo(user.email, 'requested a new password')).content);
    const set = (new_password: string) => nobody().post('/auth/password-reset/confirm', { token, new_password });
    for (const easy of ['qwertyuiop12', user.email])
      expect(await set(easy)).toMatchObject({ status: 400, body: { errors: [{ param: 'new_password' }] } });
    expect((await set('a new long password')).status).toBe(204);
  });

  it('refuses expired links', async () => {
    const user = await createUser(service.database);
    await nobody().post('/auth/password-reset', { email: user.email });
    const { content } = await mails.mailTo(user.email, 'requested a new password');
    await sql('UPDATE password_resets SET expires_at = now()');
    const confirmed = await nobody().post('/auth/password-reset/confirm', {
      token: tokenIn(content),
      new_password: 'a new long password',
    });
    expect(confirmed.body).toMatchObject({ status: 404, code: 'not_found' });
  });

  it('notifies the owner of changes to the account', async () => {
    const user = await createUser(service.database);
    const client = new AppClient(service.url, await createSession(service.database, user.id));
    const begun = await client.post<{ secret: string }>('/auth/second-factor', { password: TEST_PASSWORD });
    const confirmed = await client.post<{ recovery_codes: string[] }>('/auth/second-factor/confirm', {
      code: currentCode(begun.body.secret),
    });
    await mails.mailTo(user.email, 'A second factor was enabled for your account');
    const { body } = await client.post<{ recovery_codes: string[] }>('/auth/second-factor/recovery-codes', {
      password: TEST_PASSWORD,
      code: confirmed.body.recovery_codes[0],
    });
    await mails.mailTo(user.email, 'The recovery codes of your account were regenerated');
    await nobody().post('/auth/login', { email: user.email, password: TEST_PASSWORD, code: body.recovery_codes[0] });
    await mails.mailTo(user.email, 'A recovery code was used');
    const new_password = 'a new long password';
    const change = { current_password: TEST_PASSWORD, new_password, code: body.recovery_codes[1] };
    await client.post('/auth/password', change);
    await mails.mailTo(user.email, 'A recovery code was used to change your password');
    await mails.mailTo(user.email, 'The password of your account was changed');
    await client.post('/auth/second-factor/remove', { password: new_password, code: body.recovery_codes[2] });
    await mails.mailTo(user.email, 'The second factor of your account was removed');
  });

  it('notifies admins and owners when a downgrade locks keys, and not otherwise', async () => {
    const { organizationId, email } = await admin();
    for (let count = 0; count < 6; count += 1) await createApiKey(service, organizationId);
    const environment = { ...mailSettings(mails), ...commandSettings(service) };
    const set = (plan: string, organization = organizationId) =>
      adminWithin(environment, 'plan', 'set', '--organization', organization, '--plan', plan);
    await sql(`UPDATE organizations SET plan = 'scale' WHERE id = $1`, organizationId);
    const contentOf = async (text: string) => (await mails.mailTo(email, text)).content.replaceAll(/\s+/g, ' ');

    expect((await set('growth')).code).toBe(0);
    expect(await contentOf('is now growth')).toContain(
      'allows 5 API keys. 1 key over this limit, the least recently used, is locked',
    );
    const operator = await createUser(service.database, { isOperator: true });
    const client = new AppClient(service.url, await createSession(service.database, operator.id));
    expect((await client.patch(`/admin/orgs/${organizationId}`, { plan: 'starter' })).status).toBe(200);
    expect(await contentOf('is now starter')).toContain(
      'which does not include the public API. Requests with API keys of Möbel & Söhne are rejected',
    );
    expect((await set('free')).code).toBe(0); // they were refused already
    expect((await set('enterprise')).code).toBe(0);
    expect((await set('starter', (await admin()).organizationId)).code).toBe(0); // it has no keys
    await untilMailSent(service);
    expect(mails.received).toHaveLength(2);
  });

  it.each(['/invitations', '/password-reset'])(
    'serves the page %s for its links, which runs only its own script',
    async (path) => {
      const page = await nobody().get(path);
      expect(page.status).toBe(200);
      const policy = page.headers.get('content-security-policy') ?? '';
      expect(policy).toContain(`default-src 'none'`);
      expect(policy).not.toContain('unsafe');
      expect(page.headers.get('referrer-policy')).toBe('no-referrer');
      for (const [, action] of page.text.matchAll(/data-action="([^"]+)"/g)) {
        const route = new URL(action!, `https://forecasts.example.com${path}`).pathname;
        expect((await nobody().post(route, {})).status).toBe(400);
        // behind a proxy that serves the service below a path of its own
        expect(new URL(action!, `https://example.com/planning${path}`).pathname).toBe(`/planning${route}`);
      }
    },
  );
});

describe('the invitation page', () => {
  it('explains what to do next: where to sign in and where the documentation is', async () => {
    const service = await startTestService();
    try {
      const { text } = await new AppClient(service.url).get('/invitations');
      const addresses = [...text.matchAll(/<(a|span)[^>]* data-path="([^"]+)"/g)].map(([, tag, path]) => [
        tag,
        new URL(path!, 'https://example.com/planning/invitations').pathname,
      ]);
      expect(addresses).toEqual([
        ['span', '/planning/auth/login'],
        ['a', '/planning/docs'],
      ]);
      expect(text).toContain('<code>POST <span data-path="auth/login">');
      expect(text).toContain('<a href="docs"');
      expect((await fetch(`${service.url}/docs`)).status).toBe(200);
    } finally {
      await service.close();
    }
  });
});

describe('a mail server that accepts connections and never replies', () => {
  it('does not delay shutdown', async () => {
    let connections = 0;
    const server = createServer(() => void (connections += 1)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const service = await startTestService({
      environment: { SMTP_URL: `smtp://127.0.0.1:${port}`, SMTP_FROM: 'no-reply@example.com', PUBLIC_URL },
    });
    const { id } = await createOrganization(service.database);
    const { token } = await createMember(service.database, id, 'owner');
    await Promise.all(
      Array.from({ length: 6 }, (_, guest) =>
        new AppClient(service.url, token).post(`/orgs/${id}/invitations`, {
          email: `guest-${guest}@example.com`,
          role: 'viewer',
        }),
      ),
    );
    await eventually('mails are being sent', () => Promise.resolve(connections > 0 || undefined));
    await sleep(500); // in which every mail of the round that is going to connect has done so
    const begun = connections;
    await service.close();
    expect(connections).toBe(begun);
    server.close();
  });
});

describe('the messages to be sent', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(); // which has no mail server, so that nobody else takes them
  });
  afterEach(() => service.database.execute('DELETE FROM mail_messages'));
  afterAll(() => service.close());

  const store = async (): Promise<string> => {
    const id = newId();
    const expiresAt = new Date(Date.now() + 3_600_000);
    const message = { id, kind: 'invitation', sealed: Buffer.from('text'), createdAt: new Date(), expiresAt };
    await insertMessage(service.database, message);
    return id;
  };

  it('are tried again after a wait that doubles from 150 seconds to half an hour', async () => {
    const { database } = service;
    await store();
    const waits: number[] = [];
    for (const attempts of [0, 1, 3, 4, 1_000]) {
      await database.execute('UPDATE mail_messages SET attempts = $1, next_attempt_at = now()', [attempts]);
      // a round of the service may hold the row for a moment
      await eventually('it is taken', async () => (await takeDueMessages(database, 1)).at(0));
      const [row] = await database.query<{ wait: number }>(
        'SELECT extract(epoch FROM next_attempt_at - clock_timestamp())::float8 AS wait FROM mail_messages',
      );
      waits.push(Math.round(row!.wait / 150));
    }
    expect(waits).toEqual([1, 2, 8, 12, 12]);
  });

  it('fail and end one by one, without their text', async () => {
    const { database } = service;
    const [sent, failed, waiting] = [await store(), await store(), await store()];
    await noteMailFailure(database, failed, 'connect ECONNREFUSED');
    await endMessage(database, sent, 'sent', null);
    const rows = 'SELECT id, status, last_error, sealed IS NULL AS emptied FROM mail_messages ORDER BY id';
    expect(await database.query(rows)).toEqual([
      { id: sent, status: 'sent', last_error: null, emptied: true },
      { id: failed, status: 'pending', last_error: 'connect ECONNREFUSED', emptied: false },
      { id: waiting, status: 'pending', last_error: null, emptied: false },
    ]);
  });
});

describe('without e-mail', () => {
  it('returns the invitation link to the inviter, and resets no passwords', async () => {
    const service = await startTestService({ environment: { PUBLIC_URL: `${PUBLIC_URL}/planning/` } });
    try {
      const { id } = await createOrganization(service.database);
      const { token } = await createMember(service.database, id, 'owner');
      const client = new AppClient(service.url, token);
      const { body } = await client.post(`/orgs/${id}/invitations`, { email: 'a@example.com', role: 'viewer' });
      expect(body).toMatchObject({ emailed: false, token: expect.stringMatching(/^fi_/) });
      expect(body['accept_url']).toBe(`${PUBLIC_URL}/planning/invitations#${String(body['token'])}`);
      const asked = await client.post('/auth/password-reset', { email: 'a@example.com' });
      expect(asked.body).toMatchObject({ status: 503, code: 'mail_not_configured' });
      expect(await service.database.query('SELECT 1 FROM mail_messages')).toEqual([]);
    } finally {
      await service.close();
    }
  });
});
