import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { PLATFORM_CHAIN } from '../../src/access/audit/audit-event.js';
import { codeSubject, emailChangeSubject } from '../../src/access/attempts/attempt-subjects.js';
import { MailOutbox } from '../../src/platform/mail/mail-outbox.js';
import { adminWithin } from '../support/admin.js';
import { AppClient } from '../support/app-client.js';
import { currentCode } from '../support/authenticator.js';
import { createMember, createOrganization, createSession, createUser, TEST_PASSWORD } from '../support/builders.js';
import { speedUpRounds } from '../support/time/fast-rounds.js';
import { MailServer } from '../support/mail/mail-server.js';
import {
  commandSettings,
  mailSettings,
  untilMailSent,
  PUBLIC_URL,
  startMailedService,
} from '../support/mail/mailed-service.js';
import { startTestService, type TestService } from '../support/test-service.js';

describe('a user’s own account', () => {
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
    mails.received.length = 0;
  });
  afterAll(() => service.close());

  const sql = (text: string, ...values: unknown[]) => service.database.query<Record<string, unknown>>(text, values);
  const as = (token?: string) => new AppClient(service.url, token);
  const login = (email: string) => as().post('/auth/login', { email, password: TEST_PASSWORD });
  const command = (...args: string[]) => adminWithin(environment, ...args, '--json');
  async function member() {
    const organization = await createOrganization(service.database);
    const { id, email, token } = await createMember(service.database, organization.id, 'member');
    return { id, email, organization, client: as(token) };
  }
  const events = (chain: string, targetId: string) =>
    sql(
      `SELECT action, actor_kind, actor_name, details FROM audit_events WHERE organization_id = $1 AND target_id = $2
       ORDER BY sequence`,
      chain,
      targetId,
    );

  describe('name', () => {
    it('is changed by the user, and others see it at once', async () => {
      const { id, email, organization, client } = await member();
      const renamed = await client.patch('/auth/me', { name: 'Ada King' });
      expect([renamed.status, renamed.body]).toEqual([200, expect.objectContaining({ id, email, name: 'Ada King' })]);
      expect((await client.get('/auth/me')).body).toEqual(renamed.body);
      const owner = await createMember(service.database, organization.id, 'owner');
      const members = await as(owner.token).get(`/orgs/${organization.id}/members`);
      expect(members.body).toContainEqual(expect.objectContaining({ user_id: id, name: 'Ada King' }));
      expect(await events(organization.id, id)).toEqual([
        {
          action: 'user.renamed',
          actor_kind: 'user',
          actor_name: email,
          details: { from: 'Test User', to: 'Ada King' },
        },
      ]);
    });

    it('is refused when nobody could read it', async () => {
      const { client } = await member();
      for (const name of ['', ' ', 'A\nB', 'a'.repeat(201), 7])
        expect(await client.patch('/auth/me', { name })).toMatchObject({
          status: 400,
          body: { errors: [{ param: 'name' }] },
        });
    });

    it('logs no event when it stays the same', async () => {
      const { id, organization, client } = await member();
      expect((await client.patch('/auth/me', { name: 'Test User' })).status).toBe(200);
      expect(await events(organization.id, id)).toEqual([]);
    });
  });

  describe('e-mail address', () => {
    const tokenIn = (content: string) => /#(fe_[\w-]{43})/.exec(content)?.[1] ?? '';
    const ask = (client: AppClient, email: string, proof: { password?: string; code?: string | undefined } = {}) =>
      client.post('/auth/email', { email, password: TEST_PASSWORD, ...proof });
    const confirm = (token: string) => as().post('/auth/email/confirm', { token });
    /** The token of the link that goes to the address. */
    const linkTo = async (address: string) => {
      const { content } = await mails.mailTo(address, 'asked to change the email address of their account');
      expect(content).toContain(`${PUBLIC_URL}/email-change#fe_`);
      return tokenIn(content);
    };

    it('changes once the link sent to the new address is used, and the old address is notified', async () => {
      const { id, email, organization, client } = await member();
      const by = { actor_kind: 'user', actor_name: email };
      const asked = await ask(client, 'Ada.King@Example.com');
      expect([asked.status, asked.text]).toEqual([202, '']);
      const token = await linkTo('ada.king@example.com');
      expect((await client.get('/auth/me')).body).toMatchObject({ email }); // not before it is confirmed
      expect((await Promise.all([confirm(token), confirm(token)])).map(({ status }) => status).sort()).toEqual([
        204, 404,
      ]);
      expect((await client.get('/auth/me')).body).toMatchObject({ id, email: 'ada.king@example.com' });
      expect([(await login(email)).status, (await login('ada.king@example.com')).status]).toEqual([401, 200]);
      const { content } = await mails.mailTo(email, 'The email address of your account was changed');
      expect(content).not.toContain('ada.king@example.com');
      const recorded = (await events(organization.id, id)).filter(({ action }) => String(action).startsWith('email.'));
      expect(recorded).toEqual([
        { ...by, action: 'email.change_requested', details: { to: 'ada.king@example.com' } },
        { ...by, action: 'email.changed', details: { from: email, to: 'ada.king@example.com' } },
      ]);
    });

    it('cannot be changed with a session alone', async () => {
      const { client } = await member();
      expect(await ask(client, 'thief@example.com', { password: 'a guess at the password' })).toMatchObject({
        status: 403,
        body: { code: 'password_wrong' },
      });
      expect(await sql('SELECT FROM email_changes')).toEqual([]);
    });

    describe('of an account with a second factor', () => {
      async function careful() {
        const user = await createUser(service.database, { secondFactor: true });
        return { ...user, client: as(await createSession(service.database, user.id)) };
      }

      it('requires a code, which works once', async () => {
        const { client } = await careful();
        const code = currentCode();
        for (const wrong of [undefined, '000000'])
          expect(await ask(client, 'thief@example.com', { code: wrong })).toMatchObject({
            status: 403,
            body: { code: 'code_wrong' },
          });
        expect(await sql('SELECT FROM email_changes')).toEqual([]);
        expect((await ask(client, 'owner@example.com', { code })).status).toBe(202);
        await linkTo('owner@example.com');
        expect((await ask(client, 'thief@example.com', { code })).body).toMatchObject({ code: 'code_wrong' });
      });

      it('accepts a recovery code, and notifies the current address of its use', async () => {
        const { email, client } = await careful();
        const { body } = await client.post<{ recovery_codes: string[] }>('/auth/second-factor/recovery-codes', {
          password: TEST_PASSWORD,
          code: currentCode(),
        });
        const [code] = body.recovery_codes as [string];
        expect((await ask(client, 'owner.2@example.com', { code })).status).toBe(202);
        await linkTo('owner.2@example.com');
        await mails.mailTo(email, 'A recovery code was used to request a change of your email address');
        expect((await ask(client, 'thief@example.com', { code })).body).toMatchObject({ code: 'code_wrong' });
      });

      it('cannot be changed by guessing codes without limit', async () => {
        const { client } = await careful();
        const statuses = [];
        for (let guess = 0; guess < 7; guess += 1)
          statuses.push((await ask(client, 'thief@example.com', { code: '000000' })).status);
        expect(statuses).toEqual([403, 403, 403, 403, 403, 403, 429]);
      });

      it('neither uses up a code nor counts a wrong guess when too many links were requested', async () => {
        const { id, client } = await careful();
        await sql(
          `INSERT INTO sign_in_attempts (subject, failures, last_at, blocked_until)
           VALUES ($1, 6, now(), now() + interval '1 minute')`,
          emailChangeSubject(id).subject,
        );
        const code = currentCode();
        expect((await ask(client, 'soon@example.com', { code })).status).toBe(429);
        expect(await sql('SELECT FROM sign_in_attempts WHERE subject = $1', codeSubject(id).subject)).toEqual([]);
        await sql('DELETE FROM sign_in_attempts');
        expect((await ask(client, 'soon@example.com', { code })).status).toBe(202);
        await linkTo('soon@example.com');
      });
    });

    it('gets the same reply, but no mail, when it has an account already', async () => {
      const { client } = await member();
      const other = await createUser(service.database);
      const [taken, free] = [await ask(client, other.email), await ask(client, 'free@example.com')];
      expect([taken.status, taken.text]).toEqual([free.status, free.text]);
      await linkTo('free@example.com');
      expect(mails.received.map(({ to }) => to)).toEqual([['free@example.com']]);
    });

    it('is refused when another account takes it before the link is used', async () => {
      const { email, client } = await member();
      await ask(client, 'sought@example.com');
      const token = await linkTo('sought@example.com');
      await createUser(service.database, { email: 'sought@example.com' });
      expect(await confirm(token)).toMatchObject({ status: 409, body: { code: 'email_taken' } });
      expect((await client.get('/auth/me')).body).toMatchObject({ email });
    });

    it('is confirmed by the latest link only: earlier links and password links expire', async () => {
      const { email, client } = await member();
      await ask(client, 'first@example.com');
      const former = await linkTo('first@example.com');
      await ask(client, 'second@example.com');
      const last = await linkTo('second@example.com');
      await as().post('/auth/password-reset', { email });
      const reset = /#(fr_[\w-]{43})/.exec((await mails.mailTo(email, 'requested a new password')).content)![1];
      expect([(await confirm(former)).status, (await confirm(last)).status]).toEqual([404, 204]);
      const set = { token: reset, new_password: 'another long password' };
      expect((await as().post('/auth/password-reset/confirm', set)).status).toBe(404);
    });

    it('is not changed by a link requested with a former password', async () => {
      const { email, client } = await member();
      await ask(client, 'thief@example.com');
      const token = await linkTo('thief@example.com');
      const change = { current_password: TEST_PASSWORD, new_password: 'another long password' };
      expect((await client.post('/auth/password', change)).status).toBe(204);
      expect((await confirm(token)).status).toBe(404);
      expect((await client.get('/auth/me')).body).toMatchObject({ email });
      await mails.mailTo(email, 'The password of your account was changed');
    });

    it('is changed by a link although others change their address and password in the meantime', async () => {
      const [{ client }, { client: other }] = [await member(), await member()];
      await ask(client, 'patient@example.com');
      const token = await linkTo('patient@example.com');
      await ask(other, 'quick@example.com');
      expect((await confirm(await linkTo('quick@example.com'))).status).toBe(204);
      const change = { current_password: TEST_PASSWORD, new_password: 'another long password' };
      expect((await other.post('/auth/password', change)).status).toBe(204);
      expect((await other.patch('/auth/me', { name: 'Quick' })).status).toBe(200);
      expect((await confirm(token)).status).toBe(204);
      expect((await client.get('/auth/me')).body).toMatchObject({ email: 'patient@example.com', name: 'Test User' });
    });

    it('is not changed by an expired link', async () => {
      const { client } = await member();
      await ask(client, 'late@example.com');
      const token = await linkTo('late@example.com');
      await sql('UPDATE email_changes SET expires_at = now()');
      expect((await confirm(token)).status).toBe(404);
    });

    it('is confirmed on a page that asks for nothing else', async () => {
      const { status, text } = await as().get<string>('/email-change');
      expect(status).toBe(200);
      expect(text).toMatch(
        /<form data-token="yes" data-action="auth\/email\/confirm"[^>]*>\s*<button>Confirm the address</,
      );
      expect(text).not.toContain('<input');
    });

    it('is refused when it is empty or unchanged', async () => {
      const { email, client } = await member();
      for (const address of [email.toUpperCase(), 'nowhere'])
        expect(await ask(client, address)).toMatchObject({ status: 400, body: { errors: [{ param: 'email' }] } });
    });

    it('is sent a limited number of links', async () => {
      const { client } = await member();
      const statuses = [];
      for (let time = 0; time < 7; time += 1) statuses.push((await ask(client, 'weary@example.com')).status);
      expect([statuses.slice(0, 5), statuses.at(-1)]).toEqual([[202, 202, 202, 202, 202], 429]);
    });

    it('is changed by operators when no e-mail is configured', async () => {
      const silent = await startTestService();
      try {
        const user = await createUser(silent.database);
        const client = new AppClient(silent.url, await createSession(silent.database, user.id));
        expect(await ask(client, 'new@example.com')).toMatchObject({
          status: 503,
          body: { code: 'mail_not_configured' },
        });
      } finally {
        await silent.close();
      }
    });
  });

  describe('changed from the command line', () => {
    it('gets a new name and address, and the former address is notified', async () => {
      const { id, email, organization } = await member();
      const { code, out } = await command(
        'user',
        'change',
        '--email',
        email,
        '--name',
        'Ada',
        '--to',
        'Ada@New.example',
      );
      expect([code, JSON.parse(out)]).toEqual([
        0,
        expect.objectContaining({ id, email: 'ada@new.example', name: 'Ada' }),
      ]);
      expect((await login('ada@new.example')).status).toBe(200);
      await mails.mailTo(email, 'by an operator of this installation');
      expect((await events(organization.id, id)).map(({ action, actor_kind }) => [action, actor_kind])).toEqual([
        ['user.renamed', 'command_line'],
        ['email.changed', 'command_line'],
      ]);
    });

    it('is refused when nothing changes or the address is taken', async () => {
      const { email } = await member();
      const other = await createUser(service.database);
      const nothing = await command('user', 'change', '--email', email);
      expect([nothing.code, nothing.err]).toEqual([2, 'error: set --name, --to or both\n']);
      const taken = await command('user', 'change', '--email', email, '--to', other.email);
      expect([taken.code, taken.err]).toEqual([2, 'error: The address already belongs to an account.\n']);
    });
  });

  it('adds an event of a user without an organization to the platform’s audit log', async () => {
    const user = await createUser(service.database);
    await as(await createSession(service.database, user.id)).patch('/auth/me', { name: 'Alone' });
    expect(await events(PLATFORM_CHAIN, user.id)).toMatchObject([{ action: 'user.renamed' }]);
  });
});
