import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { AccessCleaner } from '../../src/access/access-cleaner.js';
import { takeAttempt } from '../../src/access/attempts/attempt-limit.js';
import { passwordSubject } from '../../src/access/attempts/attempt-subjects.js';
import { longestWait } from '../../src/access/attempts/attempts.queries.js';
import { endSessions } from '../../src/access/sessions/sessions.queries.js';
import { hashPassword } from '../../src/access/users/password.js';
import { setPassword } from '../../src/access/users/users.queries.js';
import { Clock } from '../../src/platform/clock.js';
import { later, MINUTE_MS } from '../../src/platform/durations.js';
import { newId } from '../../src/platform/ids.js';
import { AppClient } from '../support/app-client.js';
import { createMember, createOrganization, createSession, createUser, TEST_PASSWORD } from '../support/builders.js';
import { eventually } from '../support/eventually.js';
import { holdRows } from '../support/held-rows.js';
import { startTestService, type TestService } from '../support/test-service.js';

describe('authentication', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({ environment: { TRUSTED_PROXIES: '127.0.0.0/8' } });
  });
  afterEach(() => void jest.restoreAllMocks());
  afterAll(() => service.close());

  /** Stops the clock of the service until the test ends: no wait is over then, however slow the machine. */
  const stopClock = (): void => {
    jest.spyOn(service.app.get(Clock), 'now').mockReturnValue(new Date());
  };
  /** Every test signs in from an address of its own, so that failures of one do not slow another. */
  let addresses = 0;
  const freshAddress = () => `198.51.100.${(addresses += 1)}`;
  async function login(email: string, password: string, address = freshAddress()) {
    const reply = await fetch(`${service.url}/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
      body: JSON.stringify({ email, password }),
    });
    return { status: reply.status, headers: reply.headers, body: (await reply.json()) as Record<string, string> };
  }
  const as = (token?: string) => new AppClient(service.url, token);

  it.each([
    {
      of: 'sessions',
      insert: `(id, user_id, token_hash, created_at, last_seen_at, expires_at)
        VALUES ($1, $1, uuid_send($1), now(), now(), now() - $2::interval)`,
      ages: ['31 days', '29 days'],
    },
    {
      of: 'sign_in_attempts',
      insert: `(subject, failures, last_at) VALUES (uuid_send($1), 1, now() - $2::interval)`,
      ages: ['25 hours', '23 hours'],
    },
    {
      of: 'invitations',
      insert: `(id, organization_id, email, role, token_hash, invited_by, created_at, expires_at)
        VALUES ($1, $1, 'guest@example.com', 'viewer', uuid_send($1), $1, now(), now() - $2::interval)`,
      ages: ['31 days', '29 days'],
    },
    {
      of: 'password_resets',
      insert: `(id, user_id, token_hash, created_at, expires_at) VALUES ($1, $1, uuid_send($1), now(), now() - $2::interval)`,
      ages: ['1 second', '-1 minute'],
    },
    {
      of: 'email_changes',
      insert: `(user_id, email, token_hash, created_at, expires_at)
        VALUES ($1, 'new@example.com', uuid_send($1), now(), now() - $2::interval)`,
      ages: ['1 second', '-1 minute'],
    },
  ])('removes only what expired long enough ago ($of)', async ({ of, insert, ages }) => {
    const column = of === 'sign_in_attempts' ? 'subject' : 'token_hash';
    const left: number[] = [];
    const ids: string[] = [];
    for (const age of ages) {
      const { id } = await createUser(service.database);
      await createOrganization(service.database, { id });
      await service.database.execute(`INSERT INTO ${of} ${insert}`, [id, age]);
      ids.push(id);
    }
    await service.app.get(AccessCleaner).clean();
    for (const id of ids) {
      left.push((await service.database.query(`SELECT FROM ${of} WHERE ${column} = uuid_send($1)`, [id])).length);
    }
    expect(left).toEqual([0, 1]);
  });

  it('opens a session that identifies the user, and ends it', async () => {
    const organization = await createOrganization(service.database);
    const user = await createMember(service.database, organization.id, 'member');
    const { status, body } = await login(user.email.toUpperCase(), TEST_PASSWORD);
    expect(status).toBe(200);
    const client = as(body['token']);
    expect((await client.get('/auth/me')).body).toEqual({
      id: user.id,
      email: user.email,
      name: 'Test User',
      is_operator: false,
      second_factor: false,
      organizations: [
        {
          organization_id: organization.id,
          organization_name: organization.name,
          plan: 'growth',
          role: 'member',
          suspended_at: null,
          suspension_reason: null,
          second_factor_required: false,
          delete_after: null,
          workspaces: [],
        },
      ],
    });
    expect((await client.post('/auth/logout')).status).toBe(204);
    expect((await client.get('/auth/me')).status).toBe(401);
  });

  it('signs out once for concurrent requests', async () => {
    const user = await createUser(service.database);
    const client = as(await createSession(service.database, user.id));
    await using held = await holdRows(service.database, 'SELECT FROM sessions WHERE user_id = $1 FOR UPDATE', [
      user.id,
    ]);
    const replies = [1, 2].map(() => client.post('/auth/logout'));
    await held.untilAwaitedBy(2);
    await held.release();
    expect((await Promise.all(replies)).map(({ status }) => status)).toEqual([204, 204]);
  });

  it('signs out everywhere once for concurrent requests', async () => {
    const { id: organizationId } = await createOrganization(service.database);
    const { id, token } = await createMember(service.database, organizationId, 'member');
    await using held = await holdRows(service.database, 'SELECT FROM sessions WHERE user_id = $1 FOR UPDATE', [id]);
    const replies = [1, 2].map(() => as(token).delete('/auth/sessions'));
    await held.untilAwaitedBy(2);
    await held.release();
    expect((await Promise.all(replies)).map(({ status }) => status)).toEqual([204, 204]);
    const closed = await service.database.query(
      `SELECT FROM audit_events WHERE organization_id = $1 AND action = 'session.closed_all'`,
      [organizationId],
    );
    expect(closed).toHaveLength(1);
  });

  describe('during a concurrent password change', () => {
    const NEW_PASSWORD = 'a longer and different password';
    /** Has a call wait for the account, which has read the former password, and gives it a new one before the call goes on. */
    async function overtaken<Reply>(userId: string, call: () => Promise<Reply>): Promise<Reply> {
      await using account = await holdRows(service.database, 'SELECT FROM users WHERE id = $1 FOR UPDATE', [userId]);
      const reply = call();
      await account.untilAwaitedBy(1);
      const passwordHash = await hashPassword(NEW_PASSWORD);
      await account.release(async (tx) => {
        await setPassword(tx, userId, passwordHash, new Date());
        await endSessions(tx, userId, null, new Date());
      });
      return reply;
    }

    it('rejects the old password, which would open a session that outlives the change', async () => {
      const user = await createUser(service.database);
      const late = await overtaken(user.id, () => login(user.email, TEST_PASSWORD));
      expect([late.status, late.body['code']]).toEqual([401, 'credentials_invalid']);
      expect((await login(user.email, NEW_PASSWORD)).status).toBe(200);
    });

    it('does not let the old password set another one', async () => {
      const user = await createUser(service.database);
      const session = as(await createSession(service.database, user.id));
      const change = { current_password: TEST_PASSWORD, new_password: 'what an intruder would like' };
      const late = await overtaken(user.id, () => session.post('/auth/password', change));
      expect([late.status, late.body['code']]).toEqual([403, 'password_wrong']);
      expect((await login(user.email, NEW_PASSWORD)).status).toBe(200);
    });
  });

  it('stores the token hashed', async () => {
    const user = await createUser(service.database);
    const { body } = await login(user.email, TEST_PASSWORD);
    const rows = await service.database.query('SELECT * FROM sessions WHERE user_id = $1', [user.id]);
    expect(JSON.stringify(rows)).not.toContain(body['token']!.slice(3));
  });

  it('answers a wrong password and an unknown account alike', async () => {
    const user = await createUser(service.database);
    const wrong = await login(user.email, 'not the password');
    const unknown = await login(`nobody-${newId()}@example.com`, 'not the password');
    for (const reply of [wrong, unknown]) {
      expect([reply.status, reply.body['code']]).toEqual([401, 'credentials_invalid']);
      expect(reply.headers.get('www-authenticate')).toBe('Bearer realm="app"');
    }
    expect({ ...wrong.body, request_id: '' }).toEqual({ ...unknown.body, request_id: '' });
  });

  it('throttles an attacker without locking the owner out elsewhere', async () => {
    const user = await createUser(service.database);
    const attacker = freshAddress();
    stopClock();
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 40; attempt += 1)
      statuses.push((await login(user.email, `guess ${attempt}`, attacker)).status);
    // five are free, and the sixth begins the wait
    expect(statuses).toEqual([...Array<number>(6).fill(401), ...Array<number>(34).fill(429)]);
    const blocked = await login(user.email, TEST_PASSWORD, attacker);
    expect([blocked.status, blocked.body['code']]).toEqual([429, 'too_many_attempts']);
    expect(Number(blocked.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await login(user.email, TEST_PASSWORD)).status).toBe(200);
  });

  it('throttles an address that tries many accounts at once, known or not', async () => {
    const attacker = freshAddress();
    stopClock();
    const replies = await Promise.all(
      Array.from({ length: 60 }, (_, index) => login(`nobody-${index}@example.com`, 'guess', attacker)),
    );
    // 30 are free and one begins the wait
    const statuses = replies.map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array<number>(31).fill(401), ...Array<number>(29).fill(429)]);
  });

  it('counts no failure against an account while the address has to wait, and reports the longer wait', async () => {
    const attempts = () => service.database.query('SELECT * FROM sign_in_attempts ORDER BY subject');
    await service.database.execute('DELETE FROM sign_in_attempts');
    const user = await createUser(service.database);
    const office = freshAddress();
    const begun = new Date();
    const now = jest.spyOn(service.app.get(Clock), 'now').mockReturnValue(begun);
    for (let guess = 0; guess < 5; guess += 1) await login(user.email, 'typo', office);
    for (let guess = 0; guess < 26; guess += 1) await login(`nobody-${guess}@example.com`, 'guess', office);
    now.mockReturnValue(new Date(begun.getTime() + 3_000)); // the first wait of the address is over
    expect((await login(user.email, 'typo', office)).status).toBe(401); // two seconds for the account, four for the address
    const counted = await attempts();
    for (const email of [user.email, 'somebody@example.com']) {
      const refused = await login(email, TEST_PASSWORD, office);
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '4']);
    }
    expect(await attempts()).toEqual(counted);
  });

  it('doubles the wait up to 15 minutes, and forgets failures only after an hour without any', async () => {
    const subjects = [passwordSubject(newId())];
    let now = new Date('2026-11-21T06:00:00Z');
    /** Fails once at `now`. @returns the seconds until another attempt may be made */
    const fail = async (): Promise<number> => {
      await takeAttempt(service.database, subjects, now);
      return (await longestWait(service.database, subjects, now)) ?? 0;
    };
    const waits: number[] = [];
    for (let attempt = 1; attempt <= 16; attempt += 1) {
      const wait = await fail();
      waits.push(wait);
      now = later(now, wait * 1_000);
    }
    expect(waits).toEqual([0, 0, 0, 0, 0, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900]);
    now = later(now, 44 * MINUTE_MS); // 59 minutes after the last failure
    expect(await fail()).toBe(900);
    now = later(now, 61 * MINUTE_MS);
    expect([await fail(), await fail()]).toEqual([0, 0]);
  });

  it('treats the addresses of one subscriber as one', async () => {
    const user = await createUser(service.database);
    stopClock();
    const replies = [];
    for (let guess = 1; guess <= 7; guess += 1)
      replies.push(await login(user.email, 'guess', `2001:db8:0:1:${guess}::1`));
    expect(replies.at(-1)!.status).toBe(429);
    expect((await login(user.email, TEST_PASSWORD, '2001:db8:0:2::1')).status).toBe(200);
  });

  it('resets failures after a success', async () => {
    const user = await createUser(service.database);
    const address = freshAddress();
    for (let round = 0; round < 3; round += 1) {
      for (let attempt = 0; attempt < 4; attempt += 1) await login(user.email, 'typo', address);
      expect((await login(user.email, TEST_PASSWORD, address)).status).toBe(200);
    }
  });

  it('keeps the failures of an address at other accounts after a success at one', async () => {
    const own = await createUser(service.database);
    const address = freshAddress();
    stopClock();
    for (let guess = 0; guess < 30; guess += 1) await login(`nobody-${newId()}@example.com`, 'guess', address);
    expect((await login(own.email, TEST_PASSWORD, address)).status).toBe(200);
    expect((await login(`nobody-${newId()}@example.com`, 'guess', address)).status).toBe(401);
    expect((await login(`nobody-${newId()}@example.com`, 'guess', address)).status).toBe(429);
  });

  it('does not throttle an address shared by many users', async () => {
    const user = await createUser(service.database);
    const address = freshAddress();
    const statuses = new Set<number>();
    for (let signIn = 0; signIn < 35; signIn += 1)
      statuses.add((await login(user.email, TEST_PASSWORD, address)).status);
    expect([...statuses]).toEqual([200]);
  });

  it('records a session in the audit log by one id, however the caller writes it', async () => {
    const { id: organizationId } = await createOrganization(service.database);
    const { token } = await createMember(service.database, organizationId, 'member');
    const { body } = await as(token).get<{ id: string }[]>('/auth/sessions');
    await as(token).delete(`/auth/sessions/${body[0]!.id.toUpperCase()}`);
    const closed = await service.database.query(
      `SELECT target_id FROM audit_events WHERE organization_id = $1 AND action = 'session.closed'`,
      [organizationId],
    );
    expect(closed).toEqual([{ target_id: body[0]!.id }]);
  });

  it('ends idle, expired and forged sessions', async () => {
    const user = await createUser(service.database);
    for (const change of [
      `last_seen_at = now() - interval '12 hours 1 minute'`,
      `expires_at = now() - interval '1 second'`,
      `revoked_at = now()`,
    ]) {
      const token = await createSession(service.database, user.id);
      expect((await as(token).get('/auth/me')).status).toBe(200);
      await service.database.execute(`UPDATE sessions SET ${change} WHERE user_id = $1`, [user.id]);
      expect((await as(token).get('/auth/me')).status).toBe(401);
      await service.database.execute('DELETE FROM sessions WHERE user_id = $1', [user.id]);
    }
    for (const token of ['', 'fs_', `fs_${'A'.repeat(43)}`, 'x'.repeat(10_000)]) {
      const reply = await as(token).get('/auth/me');
      expect([reply.status, reply.body['code']]).toEqual([401, 'session_required']);
      expect(reply.headers.get('www-authenticate')).toContain('Bearer');
    }
  });

  it('tells who sends an API key instead where keys are accepted', async () => {
    const reply = await fetch(`${service.url}/auth/me`, { headers: { 'x-api-key': 'fk_any' } });
    expect(reply.status).toBe(401);
    expect(await reply.json()).toMatchObject({
      code: 'session_required',
      detail: expect.stringMatching(/^API keys are accepted only under \/api\/v1 and \/odata\/v4\. Sign in with/),
    });
  });

  it('keeps a session from becoming idle by its use, and no other', async () => {
    const user = await createUser(service.database);
    const token = await createSession(service.database, user.id);
    await createSession(service.database, user.id);
    const idle = () =>
      service.database.query(`SELECT FROM sessions WHERE user_id = $1 AND last_seen_at < now() - interval '11 hours'`, [
        user.id,
      ]);
    await service.database.execute(
      `UPDATE sessions SET last_seen_at = now() - interval '11 hours 59 minutes' WHERE user_id = $1`,
      [user.id],
    );
    expect(await idle()).toHaveLength(2);
    expect((await as(token).get('/auth/me')).status).toBe(200);
    await eventually('its use is recorded', async () => (await idle()).length < 2 || undefined);
    expect(await idle()).toHaveLength(1);
  });

  it('lists sessions, ends one, and ends all', async () => {
    const user = await createUser(service.database);
    const [here, there] = [
      await createSession(service.database, user.id),
      await createSession(service.database, user.id),
    ];
    const { body: sessions } = await as(here).get<{ id: string; current: boolean }[]>('/auth/sessions');
    expect(sessions.map((session) => session.current)).toEqual([false, true]);
    expect((await as(here).delete(`/auth/sessions/${sessions[0]!.id}`)).status).toBe(204);
    expect((await as(there).get('/auth/me')).status).toBe(401);
    for (const id of [sessions[0]!.id, newId(), 'nonsense'])
      expect((await as(here).delete(`/auth/sessions/${id}`)).status).toBe(404);
    expect((await as(here).delete('/auth/sessions')).status).toBe(204);
    expect((await as(here).get('/auth/me')).status).toBe(401);
  });

  it("does not end another user's session", async () => {
    const [mine, other] = [await createUser(service.database), await createUser(service.database)];
    const token = await createSession(service.database, other.id);
    const { body } = await as(token).get<{ id: string }[]>('/auth/sessions');
    expect(
      (await as(await createSession(service.database, mine.id)).delete(`/auth/sessions/${body[0]!.id}`)).status,
    ).toBe(404);
    expect((await as(token).get('/auth/me')).status).toBe(200);
  });

  it.each([
    ['idle', `last_seen_at = now() - interval '12 hours 1 minute'`],
    ['too old', `expires_at = now() - interval '1 second'`],
  ])('answers 404 for a session that has ended by itself, being %s, and does not list it', async (_why, change) => {
    const user = await createUser(service.database);
    const [here] = [await createSession(service.database, user.id), await createSession(service.database, user.id)];
    const { body: sessions } = await as(here).get<{ id: string }[]>('/auth/sessions');
    const ended = sessions[0]!.id;
    await service.database.execute(`UPDATE sessions SET ${change} WHERE id = $1`, [ended]);
    expect((await as(here).get('/auth/sessions')).body).toHaveLength(1);
    expect((await as(here).delete(`/auth/sessions/${ended}`)).status).toBe(404);
  });

  it('changes the password and ends the other sessions', async () => {
    const user = await createUser(service.database);
    const [here, there] = [
      await createSession(service.database, user.id),
      await createSession(service.database, user.id),
    ];
    const change = (current_password: string, new_password: string) =>
      as(here).post('/auth/password', { current_password, new_password });
    expect((await change('wrong', 'a new long password')).body['code']).toBe('password_wrong');
    expect((await change(TEST_PASSWORD, 'short')).body['errors']).toEqual([
      { param: 'new_password', message: 'must have at least 12 characters' },
    ]);
    expect((await change(TEST_PASSWORD, ' '.repeat(12))).body['errors']).toEqual([
      { param: 'new_password', message: 'must not consist of spaces only' },
    ]);
    expect((await change(TEST_PASSWORD, user.email)).body['errors']).toEqual([
      { param: 'new_password', message: expect.stringMatching(/^must be harder to guess: it is made up of your name/) },
    ]);
    expect((await change(TEST_PASSWORD, 'a new long password')).status).toBe(204);
    expect((await as(here).get('/auth/me')).status).toBe(200);
    expect((await as(there).get('/auth/me')).status).toBe(401);
    expect((await login(user.email, TEST_PASSWORD)).status).toBe(401);
    expect((await login(user.email, 'a new long password')).status).toBe(200);
  });

  it('leaves the passwords and sessions of others as they are when one is changed', async () => {
    const [user, other] = [await createUser(service.database), await createUser(service.database)];
    const theirs = await createSession(service.database, other.id);
    const change = { current_password: TEST_PASSWORD, new_password: 'a new long password' };
    expect((await as(await createSession(service.database, user.id)).post('/auth/password', change)).status).toBe(204);
    expect((await as(theirs).get('/auth/me')).status).toBe(200);
    expect((await login(other.email, TEST_PASSWORD)).status).toBe(200);
  });

  it('examines a new password only if the current one is right, so that guesses with a stolen session cost no computing', async () => {
    const user = await createUser(service.database);
    const stolen = as(await createSession(service.database, user.id));
    const change = (current_password: string) =>
      stolen.post('/auth/password', { current_password, new_password: 'password1234' });
    stopClock();
    for (let guess = 0; guess < 6; guess += 1) expect((await change(`guess ${guess}`)).status).toBe(403);
    expect((await change(TEST_PASSWORD)).status).toBe(429);
  });

  it.each([
    [{}, ['email', 'password']],
    [{ email: 'x'.repeat(10_000), password: 'p' }, ['email']],
    [{ email: '\ud800@example.com', password: 'p' }, ['email']],
    [{ email: 'a@example.com', password: 'p'.repeat(2_000) }, ['password']],
    [{ email: 'a@example.com', password: 7 }, ['password']],
    [{ email: 'a@example.com', password: 'p', remember: true }, ['remember']],
  ])('names the invalid fields (case %#)', async (body, fields) => {
    const reply = await as().post<{ errors: { param: string }[] }>('/auth/login', body);
    expect(reply.status).toBe(400);
    expect(reply.body.errors.map((error) => error.param)).toEqual(fields);
  });
});
