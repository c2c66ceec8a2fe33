import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { codeAt, stepOf } from '../../src/access/second-factor/totp.js';
import { Clock } from '../../src/platform/clock.js';
import { LOGGER, type Logger } from '../../src/platform/logging/logger.js';
import { Api } from '../support/api.js';
import { AppClient } from '../support/app-client.js';
import { currentCode, fromBase32 } from '../support/authenticator.js';
import {
  addMember,
  createApiKey,
  createMember,
  createOrganization,
  createSession,
  createUser,
  createWorkspace,
  TEST_PASSWORD,
  TEST_TOTP_SECRET,
} from '../support/builders.js';
import { startTestService, type TestService } from '../support/test-service.js';

const PASSWORD = { password: TEST_PASSWORD };

describe('the second factor', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({ environment: { TRUSTED_PROXIES: '127.0.0.0/8' } });
  });
  afterEach(() => void jest.restoreAllMocks());
  afterAll(() => service.close());

  /** Stops the clock of the service until the test ends: codes keep their step and waits last. @returns the step */
  const stopClock = (): number => {
    const now = new Date();
    jest.spyOn(service.app.get(Clock), 'now').mockReturnValue(now);
    return stepOf(now);
  };
  /** Codes that are right in none of the steps around, as those of an intruder nearly always are. */
  const wrongCodes = (step: number): readonly string[] => {
    const right = [-2, -1, 0, 1, 2].map((beside) => codeAt(TEST_TOTP_SECRET, step + beside));
    return Array.from({ length: 13 }, (_, code) => String(code).padStart(6, '0'))
      .filter((code) => !right.includes(code))
      .slice(0, 8);
  };
  const giveSecondFactor = (userId: string) =>
    service.database.execute('UPDATE users SET totp_confirmed_at = now() WHERE id = $1', [userId]);
  /** A user whose authenticator holds the test secret, signed in; the step is one whose code is still unused. */
  async function withSecondFactor() {
    const user = await createUser(service.database, { secondFactor: true });
    const login = (code?: string, address = '198.51.100.1') =>
      new AppClient(service.url).post(
        '/auth/login',
        { email: user.email, password: TEST_PASSWORD, ...(code === undefined ? {} : { code }) },
        { 'x-forwarded-for': address },
      );
    const client = new AppClient(service.url, await createSession(service.database, user.id));
    return { userId: user.id, client, login, step: stepOf(new Date()) };
  }

  it('is required once enabled, accepts a code once, and needs one to be disabled', async () => {
    const user = await createUser(service.database);
    const client = new AppClient(service.url, await createSession(service.database, user.id));
    const login = (code?: string) =>
      new AppClient(service.url).post('/auth/login', {
        email: user.email,
        password: TEST_PASSWORD,
        ...(code === undefined ? {} : { code }),
      });
    const begun = await client.post<{ secret: string; otpauth_url: string }>('/auth/second-factor', PASSWORD);
    expect(begun.body.otpauth_url).toContain(`secret=${begun.body.secret}`);
    expect((await login()).status).toBe(200); // begun is not on

    const secret = fromBase32(begun.body.secret);
    const step = stopClock(); // the codes below belong to one step and those beside it
    expect((await client.post('/auth/second-factor/confirm', { code: '12345' })).status).toBe(400);
    expect((await client.post('/auth/second-factor/confirm', { code: codeAt(secret, step - 50) })).body['code']).toBe(
      'code_wrong',
    );
    expect((await client.post('/auth/second-factor/confirm', { code: codeAt(secret, step - 1) })).status).toBe(200);
    expect((await client.post('/auth/second-factor', PASSWORD)).body['code']).toBe('second_factor_on');

    expect((await login()).body).toMatchObject({ status: 401, code: 'second_factor_required' });
    expect((await login(codeAt(secret, step - 1))).body).toMatchObject({ status: 401, code: 'credentials_invalid' });
    const twice = await Promise.all([login(codeAt(secret, step)), login(codeAt(secret, step))]);
    expect(twice.map((reply) => reply.status).sort()).toEqual([200, 401]);

    expect(
      (await client.post('/auth/second-factor/remove', { ...PASSWORD, code: codeAt(secret, step) })).body['code'],
    ).toBe('code_wrong');
    expect(
      (await client.post('/auth/second-factor/remove', { ...PASSWORD, code: codeAt(secret, step + 1) })).status,
    ).toBe(204);
    expect((await login()).status).toBe(200);
  });

  it('accepts codes with spaces', async () => {
    const user = await createUser(service.database);
    const client = new AppClient(service.url, await createSession(service.database, user.id));
    const login = (code: string) =>
      new AppClient(service.url).post('/auth/login', { email: user.email, password: TEST_PASSWORD, code });
    const begun = await client.post<{ secret: string }>('/auth/second-factor', PASSWORD);
    const step = stopClock();
    const shown = (at: number) => codeAt(fromBase32(begun.body.secret), at).replace(/^.{3}/, '$& ');
    const confirmed = await client.post<{ recovery_codes: string[] }>('/auth/second-factor/confirm', {
      code: shown(step - 1),
    });
    expect(confirmed.status).toBe(200);
    expect((await login(shown(step))).status).toBe(200);
    expect((await login(shown(step))).body['code']).toBe('credentials_invalid');
    expect((await login(`${confirmed.body.recovery_codes[0]} \n`)).status).toBe(200);
    const proof = { ...PASSWORD, code: shown(step + 1) };
    expect((await client.post('/auth/second-factor/remove', proof)).status).toBe(204);
  });

  it('can be required of all members by an admin who has one', async () => {
    const { id: organizationId } = await createOrganization(service.database);
    const workspace = await createWorkspace(service.database, organizationId);
    const admin = await createUser(service.database);
    await addMember(service.database, organizationId, admin.id, 'admin');
    const asAdmin = new AppClient(service.url, await createSession(service.database, admin.id));
    const viewer = await createMember(service.database, organizationId, 'viewer');
    const asViewer = new AppClient(service.url, viewer.token);
    const key = await createApiKey(service, organizationId);
    const ask = (second_factor_required: unknown) =>
      asAdmin.patch(`/orgs/${organizationId}`, { second_factor_required });

    expect(await ask(true)).toMatchObject({ status: 409, body: { code: 'second_factor_off' } });
    expect(await ask('yes')).toMatchObject({ status: 400, body: { errors: [{ param: 'second_factor_required' }] } });
    await giveSecondFactor(admin.id);
    expect(await ask(true)).toMatchObject({ status: 200, body: { second_factor_required: true } });

    const read = () => asViewer.get(`/workspaces/${workspace.id}/series`);
    for (const refused of [await read(), await asViewer.delete(`/orgs/${organizationId}/members/me`)]) {
      expect(refused).toMatchObject({ status: 403, body: { code: 'member_second_factor_required' } });
    }
    const me = await asViewer.get<{ organizations: unknown[] }>('/auth/me');
    expect(me.body.organizations).toMatchObject([{ second_factor_required: true }]);
    expect((await asAdmin.get(`/orgs/${organizationId}/members`)).status).toBe(200);
    expect((await new Api(service.url, key).get('/series')).status).toBe(200);

    await giveSecondFactor(viewer.id);
    expect((await read()).status).toBe(200);
    await service.database.execute('UPDATE users SET totp_confirmed_at = NULL WHERE id = $1', [viewer.id]);
    await ask(false);
    expect((await read()).status).toBe(200);
    const events = await service.database.query(
      `SELECT details FROM audit_events WHERE organization_id = $1 AND action = 'organization.changed' ORDER BY sequence`,
      [organizationId],
    );
    expect(events).toEqual([
      { details: { second_factor_required: true, before: { second_factor_required: false } } },
      { details: { second_factor_required: false, before: { second_factor_required: true } } },
    ]);
  });

  it('is set up, changed and removed only with the password, since a session may be stolen', async () => {
    const user = await createUser(service.database);
    const stolen = new AppClient(service.url, await createSession(service.database, user.id));
    expect((await stolen.post('/auth/second-factor')).body).toMatchObject({
      status: 400,
      errors: [{ param: 'password', message: 'is required and must be a string' }],
    });
    const wrong = { password: 'what an intruder would guess' };
    expect((await stolen.post('/auth/second-factor', wrong)).body).toMatchObject({
      status: 403,
      code: 'password_wrong',
    });
    const [row] = await service.database.query('SELECT totp_secret FROM users WHERE id = $1', [user.id]);
    expect(row).toEqual({ totp_secret: null });

    const { client, step } = await withSecondFactor();
    for (const path of ['recovery-codes', 'remove']) {
      const proof = { ...wrong, code: codeAt(TEST_TOTP_SECRET, step) };
      const refused = await client.post(`/auth/second-factor/${path}`, proof);
      expect(refused.body).toMatchObject({ status: 403, code: 'password_wrong' });
    }
    const right = { ...PASSWORD, code: codeAt(TEST_TOTP_SECRET, step) }; // the refusals have not used it up
    expect((await client.post('/auth/second-factor/remove', right)).status).toBe(204);
  });

  it('is required to change the password, so that a stolen password cannot lock the owner out', async () => {
    const { client, login } = await withSecondFactor();
    const { body } = await client.post<{ recovery_codes: string[] }>('/auth/second-factor/recovery-codes', {
      ...PASSWORD,
      code: currentCode(),
    });
    const change = (code?: string, new_password = 'seven quiet rivers at dawn') =>
      client.post('/auth/password', { current_password: TEST_PASSWORD, new_password, ...(code && { code }) });
    for (const wrong of [undefined, '000000'])
      expect(await change(wrong)).toMatchObject({ status: 403, body: { code: 'code_wrong' } });
    stopClock();
    // a new password that is rejected is no guess of a code
    for (let time = 0; time < 7; time += 1)
      expect(await change(body.recovery_codes[0], 'password1234')).toMatchObject({
        status: 400,
        body: { errors: [{ param: 'new_password' }] },
      });
    expect((await login()).body).toMatchObject({ code: 'second_factor_required' });
    expect((await change(body.recovery_codes[0])).status).toBe(204);
    expect((await login()).body).toMatchObject({ code: 'credentials_invalid' });
  });

  it('throttles password guesses with a stolen session', async () => {
    const user = await createUser(service.database);
    const stolen = new AppClient(service.url, await createSession(service.database, user.id));
    stopClock();
    const replies = [];
    for (let guess = 0; guess < 7; guess += 1)
      replies.push(await stolen.post('/auth/second-factor', { password: `a guess ${guess}` }));
    expect(replies.slice(0, 5).map((reply) => reply.status)).toEqual([403, 403, 403, 403, 403]);
    expect(replies.at(-1)!.body).toMatchObject({ status: 429, code: 'too_many_attempts' });
  });

  it('stores the secret sealed for its user', async () => {
    const user = await createUser(service.database);
    const client = new AppClient(service.url, await createSession(service.database, user.id));
    const { body } = await client.post<{ secret: string }>('/auth/second-factor', PASSWORD);
    const [row] = await service.database.query<{ totp_secret: Buffer }>('SELECT totp_secret FROM users WHERE id = $1', [
      user.id,
    ]);
    expect(row!.totp_secret.includes(fromBase32(body.secret))).toBe(false);
  });

  it('reports a secret sealed under another key, and still accepts a recovery code', async () => {
    const { client, login, step } = await withSecondFactor();
    const { body } = await client.post<{ recovery_codes: string[] }>('/auth/second-factor/recovery-codes', {
      ...PASSWORD,
      code: codeAt(TEST_TOTP_SECRET, step),
    });
    await service.database.execute(`UPDATE users SET totp_secret = $1 WHERE totp_secret IS NOT NULL`, [
      Buffer.alloc(48, 1),
    ]);
    const unreadable = { status: 403, body: { code: 'second_factor_unreadable' } };
    expect(await login(codeAt(TEST_TOTP_SECRET, step + 1))).toMatchObject(unreadable);
    const remove = { ...PASSWORD, code: codeAt(TEST_TOTP_SECRET, step + 1) };
    expect(await client.post('/auth/second-factor/remove', remove)).toMatchObject(unreadable);
    expect((await login(body.recovery_codes[0])).status).toBe(200);
    await client.post('/auth/second-factor/remove', { ...PASSWORD, code: body.recovery_codes[1] });
  });

  it('warns operators of secrets sealed under another key, by id alone', async () => {
    const { userId, login, step } = await withSecondFactor();
    const organizations = await Promise.all([
      createOrganization(service.database),
      createOrganization(service.database),
    ]);
    for (const { id } of organizations) await addMember(service.database, id, userId, 'member');
    await service.database.execute(`UPDATE users SET totp_secret = $1 WHERE id = $2`, [Buffer.alloc(48, 1), userId]);
    const warn = jest.spyOn(service.app.get<Logger>(LOGGER), 'warn');
    try {
      expect((await login(codeAt(TEST_TOTP_SECRET, step + 1))).status).toBe(403);
      // the rounds of the service may warn of something else
      const warnings = warn.mock.calls.filter(([fields]) => JSON.stringify(fields).includes('user_id'));
      expect(warnings).toEqual([
        [
          { user_id: userId, organization_ids: organizations.map(({ id }) => id).toSorted() },
          expect.stringContaining('sealed under another ENCRYPTION_KEY'),
        ],
      ]);
    } finally {
      warn.mockRestore();
    }
  });

  it('issues recovery codes, each of which replaces the authenticator once', async () => {
    const { userId, client, login, step } = await withSecondFactor();
    const renewed = await client.post<{ recovery_codes: string[] }>('/auth/second-factor/recovery-codes', {
      ...PASSWORD,
      code: codeAt(TEST_TOTP_SECRET, step),
    });
    const [first, second, third] = renewed.body.recovery_codes as [string, string, string];
    expect(new Set(renewed.body.recovery_codes).size).toBe(10);
    const replies = await Promise.all([login(first), login(first.toUpperCase()), login('abcd-efgh-abcd-efgh')]);
    expect(replies.map((reply) => reply.status).sort()).toEqual([200, 401, 401]);
    expect((await client.post('/auth/second-factor/recovery-codes', { ...PASSWORD, code: first })).body['code']).toBe(
      'code_wrong',
    );
    const again = await client.post<{ recovery_codes: string[] }>('/auth/second-factor/recovery-codes', {
      ...PASSWORD,
      code: second,
    });
    expect((await login(third)).status).toBe(401); // of the former set
    const last = again.body.recovery_codes[0]!;
    expect((await client.post('/auth/second-factor/remove', { ...PASSWORD, code: last })).status).toBe(204);
    expect((await login()).status).toBe(200);
    expect(await service.database.query('SELECT FROM recovery_codes WHERE user_id = $1', [userId])).toEqual([]);
  });

  it('is set up, used, renewed and removed by one user without a change for another', async () => {
    const [having, lacking] = [await withSecondFactor(), await createUser(service.database)];
    const code = codeAt(TEST_TOTP_SECRET, having.step);
    const { body: theirs } = await having.client.post<{ recovery_codes: string[] }>(
      '/auth/second-factor/recovery-codes',
      { ...PASSWORD, code },
    );
    const others = () =>
      service.database.query(
        `SELECT users.*, ARRAY(SELECT hash FROM recovery_codes WHERE user_id = users.id ORDER BY hash) AS codes
           FROM users WHERE id IN ($1, $2) ORDER BY id`,
        [having.userId, lacking.id],
      );
    const before = await others();

    const user = await createUser(service.database);
    const client = new AppClient(service.url, await createSession(service.database, user.id));
    const { body: begun } = await client.post<{ secret: string }>('/auth/second-factor', PASSWORD);
    const step = stopClock();
    const confirm = { code: codeAt(fromBase32(begun.secret), step) };
    const { body: confirmed } = await client.post<{ recovery_codes: string[] }>('/auth/second-factor/confirm', confirm);
    const signIn = (given: string | undefined) =>
      new AppClient(service.url).post('/auth/login', { email: user.email, password: TEST_PASSWORD, code: given });
    expect((await signIn(codeAt(fromBase32(begun.secret), step + 1))).status).toBe(200);
    expect((await signIn(theirs.recovery_codes[0])).status).toBe(401);
    const [first, second] = confirmed.recovery_codes;
    const renewed = await client.post<{ recovery_codes: string[] }>('/auth/second-factor/recovery-codes', {
      ...PASSWORD,
      code: first,
    });
    expect(renewed.body.recovery_codes).not.toContain(second);
    const proof = { ...PASSWORD, code: renewed.body.recovery_codes[0] };
    expect((await client.post('/auth/second-factor/remove', proof)).status).toBe(204);
    expect(await others()).toEqual(before);
  });

  it('throttles code guesses with a stolen session', async () => {
    const { client } = await withSecondFactor();
    const replies = [];
    for (const code of wrongCodes(stopClock()))
      replies.push(await client.post('/auth/second-factor/remove', { ...PASSWORD, code }));
    expect(replies.slice(0, 5).map((reply) => reply.status)).toEqual([403, 403, 403, 403, 403]);
    expect(replies.at(-1)!.body).toMatchObject({ status: 429, code: 'too_many_attempts' });
  });

  it('throttles code guesses from many addresses with a known password', async () => {
    const { login } = await withSecondFactor();
    const replies = [];
    for (const [guess, code] of wrongCodes(stopClock()).entries())
      replies.push(await login(code, `198.51.100.${100 + guess}`));
    expect(replies.slice(0, 5).map((reply) => reply.status)).toEqual([401, 401, 401, 401, 401]);
    expect(replies.at(-1)!.body).toMatchObject({ status: 429, code: 'too_many_attempts' });
  });

  it('resets wrong codes after a right one', async () => {
    const { client, login, step } = await withSecondFactor();
    const { body } = await client.post<{ recovery_codes: string[] }>('/auth/second-factor/recovery-codes', {
      ...PASSWORD,
      code: codeAt(TEST_TOTP_SECRET, step),
    });
    expect(body.recovery_codes.length).toBeGreaterThan(2);
    for (const right of body.recovery_codes.slice(0, 3)) {
      for (let typo = 0; typo < 4; typo += 1) expect((await login('abcd-efgh-abcd-efgh')).status).toBe(401);
      expect((await login(right)).status).toBe(200);
    }
    const changed = { current_password: TEST_PASSWORD, new_password: TEST_PASSWORD };
    const change = async (code: string) => (await client.post('/auth/password', { ...changed, code })).status;
    for (const right of body.recovery_codes.slice(3, 5)) {
      for (let typo = 0; typo < 4; typo += 1) expect(await change('abcd-efgh-abcd-efgh')).toBe(403);
      expect(await change(right)).toBe(204);
    }
  });

  it('does not throttle a sign-in without a code before one with a code', async () => {
    const { login } = await withSecondFactor();
    const codes = new Set<unknown>();
    for (let signIn = 0; signIn < 35; signIn += 1) codes.add((await login(undefined, '198.51.100.2')).body['code']);
    expect([...codes]).toEqual(['second_factor_required']);
  });

  it('is required of operators', async () => {
    const user = await createUser(service.database, { isOperator: true, secondFactor: false });
    const client = new AppClient(service.url, await createSession(service.database, user.id));
    for (const path of ['/admin/flags', '/admin/orgs', '/admin/community/topics']) {
      expect((await client.get(path)).body).toMatchObject({ status: 403, code: 'operator_second_factor_required' });
    }
    expect((await client.get('/auth/me')).body).toMatchObject({ is_operator: true, second_factor: false });
    const { body } = await client.post<{ secret: string }>('/auth/second-factor', PASSWORD);
    const code = codeAt(fromBase32(body.secret), stepOf(new Date()));
    expect((await client.post('/auth/second-factor/confirm', { code })).status).toBe(200);
    expect((await client.get('/admin/flags')).status).toBe(200);
    expect((await client.get('/auth/me')).body).toMatchObject({ is_operator: true, second_factor: true });
  });

  it('ends the sessions opened without it', async () => {
    const user = await createUser(service.database, { isOperator: true, secondFactor: false });
    const [client, stolen] = [
      new AppClient(service.url, await createSession(service.database, user.id)),
      new AppClient(service.url, await createSession(service.database, user.id)),
    ];
    const { body } = await client.post<{ secret: string }>('/auth/second-factor', PASSWORD);
    expect((await stolen.get('/auth/me')).status).toBe(200); // begun is not on
    expect((await client.post('/auth/second-factor/confirm', { code: currentCode(body.secret) })).status).toBe(200);
    expect((await client.get('/admin/flags')).status).toBe(200);
    expect((await stolen.get('/admin/flags')).body).toMatchObject({ status: 401, code: 'session_required' });
  });

  it('lets only a setup in progress be confirmed or removed', async () => {
    const user = await createUser(service.database);
    const client = new AppClient(service.url, await createSession(service.database, user.id));
    const proofs = { confirm: { code: '123456' }, remove: { ...PASSWORD, code: '123456' } };
    for (const [path, proof] of Object.entries(proofs)) {
      expect((await client.post(`/auth/second-factor/${path}`, proof)).body['code']).toBe('second_factor_off');
    }
  });

  it('sends no notice of being disabled when an unconfirmed setup is removed', async () => {
    const { id: organizationId } = await createOrganization(service.database);
    const { token } = await createMember(service.database, organizationId, 'member');
    const client = new AppClient(service.url, token);
    const { body } = await client.post<{ secret: string }>('/auth/second-factor', PASSWORD);
    const step = stopClock();
    const code = (beside: number) => codeAt(fromBase32(body.secret), step + beside);
    const removed = await client.post('/auth/second-factor/remove', { ...PASSWORD, code: code(-1) });
    expect(removed.body).toMatchObject({ status: 409, code: 'second_factor_off' });
    expect(
      await service.database.query('SELECT FROM audit_events WHERE organization_id = $1', [organizationId]),
    ).toEqual([]);
    expect((await client.post('/auth/second-factor/confirm', { code: code(0) })).status).toBe(200);
  });
});
