import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { loadSettings } from '../../config/settings.js';
import { loadSecrets } from '../../src/platform/crypto/secrets.js';
import { DAY_MS } from '../../src/platform/durations.js';
import { newId } from '../../src/platform/ids.js';
import { withClient } from '../../src/platform/database/connections/with-client.js';
import { discardDataDirectory } from '../../src/platform/embedded-postgres/cluster.js';
import { APPLICATION_NAME, EmbeddedPostgres } from '../../src/platform/embedded-postgres/embedded-postgres.js';
import { TEST_ENCRYPTION_KEY } from '../support/builders.js';
import { admin, adminWithin } from '../support/admin.js';
import { createTestDatabase, type TestDatabase } from '../support/databases.js';
import { holdRows } from '../support/held-rows.js';
import { MailServer } from '../support/mail/mail-server.js';
import { mailSettings } from '../support/mail/mailed-service.js';
import { moveToPlan } from '../support/move-to-plan.js';
import { startTestService, type TestService } from '../support/test-service.js';
import { untilCachesExpire } from '../support/time/until-caches-expire.js';

const BOOTSTRAP = [
  'bootstrap',
  '--organization',
  'Acme',
  '--workspace',
  'Retail',
  '--plan',
  'growth',
  '--email',
  'Ada@Example.com',
];

interface Made {
  readonly organization_id: string;
  readonly workspace_id: string;
  readonly email: string;
  readonly password: string | null;
  readonly api_key: string | null;
}

describe('the admin command line', () => {
  let database: TestDatabase;
  let service: TestService;
  let environment: Record<string, string>;
  let made: Record<string, string>;
  beforeAll(async () => {
    database = await createTestDatabase('empty');
    const directory = mkdtempSync(join(tmpdir(), 'admin-cli-'));
    environment = {
      DATABASE_URL: database.url,
      DATA_DIR: directory,
      API_KEY_PEPPER: 'pepper-of-the-test-services-only-0123456789',
      ENCRYPTION_KEY: TEST_ENCRYPTION_KEY,
    };
    made = JSON.parse((await admin(environment, ...BOOTSTRAP, '--json')).out) as Record<string, string>;
    service = await startTestService({ database });
  });
  afterAll(async () => {
    await service.close();
    await database.drop();
    rmSync(environment['DATA_DIR']!, { recursive: true, force: true });
  });

  const json = async <T = Record<string, unknown>>(...args: string[]): Promise<T> => {
    const outcome = await adminWithin(environment, ...args, '--json');
    expect([outcome.code, outcome.err]).toEqual([0, '']);
    return JSON.parse(outcome.out) as T;
  };
  const usage = async (key: string) =>
    (await fetch(`${service.url}/api/v1/usage`, { headers: { 'x-api-key': key } })).status;

  it('bootstraps an empty database so that a client can use it', async () => {
    expect(made).toEqual({
      organization_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      plan: 'growth',
      workspace_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      email: 'ada@example.com',
      password: expect.stringMatching(/^\w{20}$/),
      api_key: expect.stringMatching(/^fk_\w{46}$/),
    });
    expect(await usage(made['api_key']!)).toBe(200);
  });

  it('finds what it created when run again, and shows no secret twice', async () => {
    const again = await json(...BOOTSTRAP);
    expect(again).toEqual({ ...made, password: null, api_key: null });
  });

  it('shows the plan that the organization has, which bootstrapping again with another does not change', async () => {
    const again = await json(...BOOTSTRAP.map((word) => (word === 'growth' ? 'scale' : word)));
    expect(again).toMatchObject({ organization_id: made['organization_id'], plan: 'growth' });
  });

  it('prints the bootstrap result as JSON even without --json', async () => {
    const { code, out } = await adminWithin(environment, ...BOOTSTRAP);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toEqual({ ...made, password: null, api_key: null });
  });

  it('creates, lists and revokes keys', async () => {
    const create = ['key', 'create', '--organization', 'Acme', '--name', 'etl', '--workspace', 'Retail'];
    const key = await json<{ id: string; api_key: string }>(...create);
    expect(await usage(key.api_key)).toBe(200);
    expect(await json(...create)).toMatchObject({ id: key.id, api_key: null, created: false });
    const byId = [...create.slice(0, -1), made['workspace_id']!.toUpperCase()];
    expect(await json(...byId)).toMatchObject({ id: key.id, created: false });
    const restricted = [...create, '--allow', '203.0.113.0/24', '--expires-in-days', '9'];
    expect(await json(...restricted)).toMatchObject({ id: key.id, ip_allowlist: [], expires_at: null, created: false });
    const listed = await adminWithin(environment, 'key', 'list', '--organization', made['organization_id']!);
    expect(listed.out).toContain('etl');
    expect(listed.out).not.toContain(key.api_key);
    const revoke = ['key', 'revoke', '--organization', 'Acme', '--id', key.id];
    const first = await json<{ revoked_at: string }>(...revoke);
    expect((await json<{ revoked_at: string }>(...revoke)).revoked_at).toBe(first.revoked_at);
    await untilCachesExpire();
    expect(await usage(key.api_key)).toBe(401);
  });

  it('creates no key for a workspace that is being removed, without waiting for the removal', async () => {
    await using removal = await holdRows(service.database, 'SELECT FROM workspaces WHERE id = $1 FOR UPDATE', [
      made['workspace_id'],
    ]);
    const create = ['key', 'create', '--organization', 'Acme', '--name', 'late', '--workspace', 'Retail'];
    const { code, err } = await adminWithin(environment, ...create);
    expect([code, err]).toEqual([2, 'error: The workspace does not exist.\n']);
    await removal.release();
  });

  it('changes flags and plans while the service runs', async () => {
    await json('flag', 'set', 'disable_public_api', 'on', '--reason', 'maintenance');
    await untilCachesExpire();
    expect(await usage(made['api_key']!)).toBe(503);
    await json('flag', 'set', 'disable_public_api', 'off');
    expect(await json('plan', 'set', '--organization', 'Acme', '--plan', 'free')).toMatchObject({ keys_locked: 1 });
    await untilCachesExpire();
    expect(await usage(made['api_key']!)).toBe(403);
    expect(await json('plan', 'set', '--organization', 'Acme', '--plan', 'growth')).toMatchObject({ keys_unlocked: 1 });
    await untilCachesExpire();
    expect(await usage(made['api_key']!)).toBe(200);
  });

  it('unlocks a key in place of one that it revokes', async () => {
    const create = (name: string) =>
      json<{ id: string; api_key: string }>('key', 'create', '--organization', 'Acme', '--name', name);
    const { id } = await create('crowding out');
    const organization = ['--organization', 'Acme'];
    await service.database.execute('UPDATE api_keys SET last_used_at = now() WHERE id = $1', [id]);
    expect(await json('plan', 'set', ...organization, '--plan', 'starter')).toMatchObject({ keys_locked: 1 });
    await json('key', 'revoke', ...organization, '--id', id);
    const listed = await json<{ name: string; locked_at: string | null }[]>('key', 'list', ...organization);
    expect(listed.filter(({ locked_at: at }) => at !== null)).toEqual([]);
    expect(await json('plan', 'set', ...organization, '--plan', 'growth')).toMatchObject({ keys_unlocked: 0 });
  });

  it('creates one member when run twice concurrently', async () => {
    await json('user', 'create', '--email', 'eve@example.com');
    await using organization = await holdRows(service.database, `SELECT FROM organizations WHERE id = $1 FOR UPDATE`, [
      made['organization_id'],
    ]);
    const member = ['user', 'member', '--email', 'eve@example.com', '--organization', 'Acme', '--role', 'viewer'];
    const asked = Promise.all([json(...member), json(...member)]);
    await organization.untilAwaitedBy(2);
    await organization.release();
    await asked;
    const events = await service.database.query(
      `SELECT FROM audit_events WHERE action = 'member.set' AND details->>'email' = 'eve@example.com'`,
    );
    expect(events).toHaveLength(1);
  });

  it('creates users and members, and keeps the audit log intact', async () => {
    const user = await json<{ password: string; operator: boolean }>('user', 'create', '--email', 'bob@example.com');
    expect(user).toMatchObject({ operator: false, created: true });
    await json('user', 'member', '--email', 'bob@example.com', '--organization', 'Acme', '--role', 'viewer');
    expect(await json('user', 'operator', 'on', '--email', 'bob@example.com')).toMatchObject({ operator: true });
    const chains = await json<{ chain: string; intact: boolean; events: number }[]>('audit', 'verify');
    expect(chains.length).toBe(2);
    expect(chains.every((chain) => chain.intact && chain.events > 0)).toBe(true);
  });

  it('creates one of everything when run several times concurrently', async () => {
    const bootstrap = ['bootstrap', '--organization', 'Twins', '--workspace', 'Retail', '--plan', 'growth'];
    const asked = Array.from({ length: 3 }, () => json<Made>(...bootstrap, '--email', 'twins@example.com'));
    const made = await Promise.all(asked);
    for (const thing of ['organization_id', 'workspace_id', 'email'] as const)
      expect(new Set(made.map((one) => one[thing])).size).toBe(1);
    for (const secret of ['password', 'api_key'] as const)
      expect(made.filter((one) => one[secret] !== null)).toHaveLength(1);

    const more = ['org', 'add-workspace', '--organization', 'Twins', '--name', 'Wholesale'];
    const added = await Promise.all([json(...more), json(...more)]);
    expect(added.map(({ created }) => created).sort()).toEqual([false, true]);
  });

  it('creates the owner anew if the account is deleted meanwhile', async () => {
    await json('user', 'create', '--email', 'leaving@example.com');
    const bootstrap = ['bootstrap', '--organization', 'Acme', '--workspace', 'Retail', '--plan', 'growth'];
    await using user = await holdRows(
      service.database,
      `DELETE FROM users WHERE email = 'leaving@example.com' RETURNING id`,
    );
    const asked = json<Made>(...bootstrap, '--email', 'leaving@example.com');
    await user.untilAwaitedBy(1);
    await user.release();
    expect(await asked).toMatchObject({ email: 'leaving@example.com', password: expect.any(String) });
  });

  it('does not reveal the address of a user without a name', async () => {
    const named = (email: string, ...rest: string[]) => json('user', 'create', '--email', email, ...rest);
    expect(await named('dora.k@example.com')).toMatchObject({ name: 'dora.k' });
    expect(await named('finn@example.com', '--name', 'Finn')).toMatchObject({ name: 'Finn' });
    const users = await json<{ email: string; name: string }[]>('user', 'list');
    expect(users.find(({ email }) => email === 'ada@example.com')).toMatchObject({ name: 'ada' });
  });

  it('makes an existing user an operator, and nobody else', async () => {
    const create = ['user', 'create', '--email', 'cleo@example.com'];
    expect(await json(...create)).toMatchObject({ operator: false, created: true });
    await json('user', 'create', '--email', 'gus@example.com');
    const granted = { operator: true, created: false, password: null };
    expect(await json(...create, '--operator')).toMatchObject(granted);
    const users = await json<{ email: string; operator: boolean }[]>('user', 'list');
    expect(users.find(({ email }) => email === 'gus@example.com')).toMatchObject({ operator: false });
    expect(await json(...create)).toMatchObject(granted);
  });

  it('records once that a user is made an operator by two commands concurrently', async () => {
    await json('user', 'create', '--email', 'ora@example.com');
    const lock = `SELECT FROM users WHERE email = 'ora@example.com' FOR UPDATE`;
    await using user = await holdRows(service.database, lock);
    const asked = Promise.all([1, 2].map(() => json('user', 'operator', 'on', '--email', 'ora@example.com')));
    await user.untilAwaitedBy(2);
    await user.release();
    await asked;
    const events = await service.database.query(
      `SELECT FROM audit_events WHERE action = 'operator.granted' AND details->>'email' = 'ora@example.com'`,
    );
    expect(events).toHaveLength(1);
  });

  it('exits with 1 when a chain of the audit log is broken', async () => {
    const change = (sql: string) =>
      withClient(database.url, async (client) => {
        await client.query('SET session_replication_role = replica'); // past the trigger that keeps the log append-only
        await client.query(sql, [made['organization_id']]);
      });
    const set = (to: string) =>
      change(`UPDATE audit_events SET actor_name = ${to} WHERE organization_id = $1 AND sequence = 1`);
    await set(`actor_name || ' '`);
    const { code, out } = await adminWithin(environment, 'audit', 'verify');
    await set('rtrim(actor_name)');
    expect([code, out]).toEqual([1, expect.stringContaining('the event was changed')]);
    expect((await adminWithin(environment, 'audit', 'verify')).code).toBe(0);
  });

  it.each([
    ['organization.suspended', ['suspend', '--reason', 'fraud']],
    ['organization.allowlist_changed', ['allowlist', '--allow', '192.0.2.0/24']],
    ['billing.changed', ['billing', '--stripe-customer', 'cus_123']],
  ])('records %s once when two commands make the same change concurrently', async (action, [change, ...options]) => {
    const { id } = await json<{ id: string }>('org', 'create', '--name', action, '--plan', 'growth');
    await using organization = await holdRows(service.database, 'SELECT FROM organizations WHERE id = $1 FOR UPDATE', [
      id,
    ]);
    const command = ['org', change!, '--organization', id, ...options];
    const asked = Promise.all([json(...command), json(...command)]);
    await organization.untilAwaitedBy(2);
    await organization.release();
    await asked;
    const events = await service.database.query('SELECT FROM audit_events WHERE organization_id = $1 AND action = $2', [
      id,
      action,
    ]);
    expect(events).toHaveLength(1);
  });

  it('lists the events of an organization in order, even of a deleted one, and logs the access', async () => {
    const { id } = await json<{ id: string }>('org', 'create', '--name', 'Gone', '--plan', 'growth');
    const suspended = await json('org', 'suspend', '--organization', 'Gone', '--reason', 'unpaid');
    expect(suspended).toMatchObject({ suspension_reason: 'unpaid' });
    const list = (organization: string, ...rest: string[]) =>
      json<{ sequence: number; action: string; hash: string }[]>(
        'audit',
        'list',
        '--organization',
        organization,
        ...rest,
      );
    const events = await list('Gone');
    expect(events.map(({ sequence, action }) => [sequence, action])).toEqual([
      [1, 'organization.created'],
      [2, 'organization.suspended'],
    ]);
    expect(events[0]).toMatchObject({
      actor_kind: 'command_line',
      details: { name: 'Gone', plan: 'growth' },
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(await list(id, '--after', '2')).toMatchObject([
      { action: 'audit_log.exported', details: { events: 2, from_sequence: 1, to_sequence: 2 } },
    ]);

    await service.database.execute('DELETE FROM organizations WHERE id = $1', [id]);
    expect((await list(id.toUpperCase())).map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4]);
    expect((await json<object[]>('audit', 'list')).at(-1)).toMatchObject({
      action: 'audit_log.exported',
      target_id: id,
      details: { events: 4 },
    });
    for (const [args, fault] of [
      [['--organization', 'Gone'], 'there is no organization "Gone"'],
      [['--after', '-1'], '--after must be a whole number from 0 to 2147483647, not "-1"'],
    ] as const) {
      const { code, err } = await adminWithin(environment, 'audit', 'list', ...args);
      expect([code, err]).toEqual([2, `error: ${fault}\n`]);
    }
  });

  it('requests and cancels the deletion of an organization, even of a suspended one', async () => {
    await json('org', 'create', '--name', 'Suspended', '--plan', 'growth');
    await json('org', 'suspend', '--organization', 'Suspended');
    const change = (command: string) =>
      json<{ id: string; delete_after: string | null }>('org', command, '--organization', 'Suspended');
    const { id, delete_after } = await change('delete');
    expect(new Date(delete_after!).getTime() - Date.now()).toBeGreaterThan(29.9 * DAY_MS);
    expect((await change('delete')).delete_after).toBe(delete_after);
    expect((await change('restore')).delete_after).toBeNull();
    expect((await change('restore')).delete_after).toBeNull();
    const events = await json<{ action: string }[]>('audit', 'list', '--organization', id, '--after', '2');
    expect(events.map(({ action }) => action)).toEqual([
      'organization.deletion_requested',
      'organization.deletion_canceled',
    ]);
  });

  it('restores no organization whose deletion is due, since some of it may be deleted already', async () => {
    await json('org', 'create', '--name', 'Due', '--plan', 'growth');
    await service.database.execute(`UPDATE organizations SET delete_after = now() WHERE name = 'Due'`);
    const { code, err } = await adminWithin(environment, 'org', 'restore', '--organization', 'Due');
    expect([code, err]).toEqual([2, 'error: The organization does not exist.\n']);
    await service.database.execute(`UPDATE organizations SET delete_after = NULL WHERE name = 'Due'`); // other tests sweep
  });

  it('creates nothing in an organization that awaits deletion, as if it were a new one of that name', async () => {
    await json('org', 'create', '--name', 'Leaving', '--plan', 'growth');
    await service.database.execute(
      `UPDATE organizations SET delete_after = '2099-01-01T00:00:00Z' WHERE name = 'Leaving'`,
    );
    const bootstrap = ['bootstrap', '--organization', 'Leaving', '--workspace', 'Retail', '--plan', 'growth'];
    for (const args of [
      ['org', 'create', '--name', 'Leaving', '--plan', 'growth'],
      [...bootstrap, '--email', 'new@example.com'],
    ]) {
      const { code, err } = await adminWithin(environment, ...args);
      expect([code, err]).toEqual([2, expect.stringContaining('"Leaving" is scheduled for deletion on 2099-01-01')]);
    }
    const organizations = await json<{ name: string; delete_after: string | null }[]>('org', 'list');
    expect(organizations.find(({ name }) => name === 'Leaving')).toMatchObject({
      delete_after: '2099-01-01T00:00:00.000Z',
    });
  });

  it('refuses what the application refuses: exceeding the plan, and an organization without an owner', async () => {
    const refused = async (...args: string[]): Promise<string> => {
      const { code, out, err } = await adminWithin(environment, ...args);
      expect([code, out]).toEqual([2, '']);
      return err;
    };
    const small = ['--organization', 'Small'];
    const { api_key: key } = await json(
      'bootstrap',
      ...small,
      '--workspace',
      'A',
      '--plan',
      'free',
      '--email',
      's@example.com',
    );
    expect(key).toBeNull();
    expect(await refused('key', 'create', ...small, '--name', 'etl')).toBe(
      'error: The free plan allows 0 API keys; the public API requires growth or higher.\n',
    );
    expect(await refused('org', 'add-workspace', ...small, '--name', 'B')).toBe(
      'error: The free plan allows 1 workspace.\n',
    );
    const owner = ['user', 'member', '--email', 's@example.com', ...small, '--role'];
    expect(await refused(...owner, 'viewer')).toMatch(/^error: An organization must have an owner\. .*\n$/);
    await json('user', 'create', '--email', 't@example.com');
    await json('user', 'member', '--email', 't@example.com', ...small, '--role', 'owner');
    expect(await json(...owner, 'viewer')).toMatchObject({ role: 'viewer' });
    await json('user', 'create', '--email', 'u@example.com');
    expect(await refused('user', 'member', '--email', 'u@example.com', ...small, '--role', 'viewer')).toMatch(
      /allows 2 members/,
    );
  });

  it('withdraws the invitations of a member whose new role may not invite', async () => {
    const { id } = await json<{ id: string }>('user', 'create', '--email', 'kim@example.com');
    const member = ['user', 'member', '--email', 'kim@example.com', '--organization', 'Acme', '--role'];
    await json(...member, 'admin');
    await service.database.execute(
      `INSERT INTO invitations (id, organization_id, email, role, token_hash, invited_by, created_at, expires_at)
       VALUES (gen_random_uuid(), $1, 'friend@example.com', 'admin', '\\x01', $2, now(), now() + interval '1 day')`,
      [made['organization_id'], id],
    );
    await json(...member, 'viewer');
    const [invitation] = await service.database.query<{ revoked: boolean }>(
      `SELECT revoked_at IS NOT NULL AS revoked FROM invitations WHERE email = 'friend@example.com'`,
    );
    expect(invitation).toEqual({ revoked: true });
  });

  it('logs an account reset in the organizations of the user', async () => {
    await json('user', 'create', '--email', 'eve@example.com');
    await json('user', 'member', '--email', 'eve@example.com', '--organization', 'Acme', '--role', 'viewer');
    await json('user', 'reset-password', '--email', 'eve@example.com');
    await json('user', 'reset-second-factor', '--email', 'eve@example.com');
    const events = await service.database.query<{ action: string }>(
      `SELECT action FROM audit_events WHERE organization_id = $1 AND details ->> 'email' = $2 ORDER BY id`,
      [made['organization_id'], 'eve@example.com'],
    );
    expect(events.map((event) => event.action)).toEqual(['member.set', 'password.reset', 'second_factor.reset']);
  });

  it('notifies a user by e-mail that an operator reset the account', async () => {
    const mails = new MailServer();
    await mails.start();
    const smtp = mailSettings(mails);
    const sender = await startTestService({
      database: { url: database.url, drop: () => Promise.resolve() },
      environment: smtp,
    });
    try {
      const email = 'mallory@example.com';
      await json('user', 'create', '--email', email);
      for (const command of ['reset-password', 'reset-second-factor']) {
        const outcome = await adminWithin({ ...environment, ...smtp }, 'user', command, '--email', email);
        expect([outcome.code, outcome.err]).toEqual([0, '']);
      }
      for (const subject of ['Your password was changed', 'Your second factor was removed']) {
        expect((await mails.mailTo(email, subject)).content).toContain('by an operator of this installation');
      }
    } finally {
      await sender.close();
      await mails.stop();
    }
  });

  it('reports what retention would delete, and deletes it', async () => {
    const subject = await json<{ id: string }>('org', 'create', '--name', 'Gone', '--plan', 'growth');
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await client.query(`UPDATE organizations SET delete_after = now() WHERE id = $1`, [subject.id]);
    await client.end();
    const report = { organization_id: subject.id, organization: 'Gone', organization_deleted: true, deleted: {} };
    expect(await json('retention', '--dry-run')).toEqual([{ ...report, older_than: null }]);
    expect(await json('retention')).toEqual([{ ...report, older_than: null }]);
    expect(await json('retention')).toEqual([]);
  });

  it('sweeps an organization again that was already swept today', async () => {
    const { id } = await json<{ id: string }>('org', 'create', '--name', 'Tidy', '--plan', 'growth');
    const keepFor = (months: number | null) =>
      withClient(database.url, (client) =>
        client.query('UPDATE organizations SET retention_months = $2 WHERE id = $1', [id, months]),
      );
    await keepFor(12);
    const swept = { organization_id: id, organization: 'Tidy', organization_deleted: false, deleted: {} };
    for (let turn = 0; turn < 2; turn += 1) {
      expect(await json('retention')).toEqual([{ ...swept, older_than: expect.any(String) }]);
    }
    await keepFor(null);
  });

  it.each([
    [
      ['plan', 'set', '--organization', 'Acme', '--plan', 'gold'],
      '--plan must be one of free, starter, growth, scale, enterprise, not "gold"',
    ],
    [['plan', 'set', '--organization', 'Nobody', '--plan', 'free'], 'there is no organization "Nobody"'],
    [
      ['key', 'create', '--organization', 'Acme', '--name', 'k', '--allow', '10.0.0.0/33'],
      '--allow "10.0.0.0/33" is neither',
    ],
    [['key', 'revoke', '--organization', 'Acme', '--id', 'nonsense'], 'the organization has no API key nonsense'],
    [['flag', 'set', 'no_such_flag', 'on'], 'the flag must be one of disable_public_api'],
    [['user', 'create', '--email', `${'x'.repeat(10_000)}@example.com`], 'is not an email address'],
    [['bootstrap', '--organization', 'A'], "required option '--workspace <name>'"],
    [['org', 'list', '--nonsense'], "unknown option '--nonsense'"],
  ])('reports bad input in one line with exit code 2 (case %#)', async (args, message) => {
    const { code, out, err } = await adminWithin(environment, ...args);
    expect(code).toBe(2);
    expect(out).toBe('');
    expect(err.trim().split('\n')).toHaveLength(1);
    expect(err).toContain(message);
  });

  it.each([
    [
      ['key', 'revoke', '--organization', 'Acme', '--id', 'nonsense'],
      'error: the organization has no API key nonsense\n',
    ],
    [['org', 'list', '--nonsense'], "error: unknown option '--nonsense'\n"],
  ])('exits with 2 as a process after bad input (case %#)', async (args, err) => {
    expect(await admin(environment, ...args)).toEqual({ code: 2, out: '', err });
  });

  it('rotates keys like the application', async () => {
    await json('org', 'create', '--name', 'Careful', '--plan', 'growth');
    const organization = ['--organization', 'Careful'];
    const made = await json<{ id: string; api_key: string }>(
      ...['key', 'create', ...organization, '--name', 'rotated', '--expires-in-days', '30'],
    );
    const rotate = ['key', 'rotate', ...organization, '--id', made.id, '--grace-period'];
    const next = await json<{ id: string; api_key: string; expires_at: string }>(...rotate, '24h');
    expect(next).toMatchObject({ name: 'rotated', workspace_id: null, revoked_at: null });
    expect(new Date(next.expires_at).getTime() - Date.now()).toBeGreaterThan(29.9 * DAY_MS);
    expect([await usage(made.api_key), await usage(next.api_key)]).toEqual([200, 200]);
    const again = await adminWithin(environment, ...rotate, '0');
    expect([again.code, again.err]).toEqual([2, 'error: Only an active key can be rotated.\n']);
    const last = await json<{ id: string; api_key: string; expires_at: string }>(
      ...['key', 'rotate', ...organization, '--id', next.id, '--grace-period', '0', '--expires-in-days', '9'],
    );
    expect(new Date(last.expires_at).getTime() - Date.now()).toBeLessThan(9.1 * DAY_MS);
    await untilCachesExpire();
    expect([await usage(next.api_key), await usage(last.api_key)]).toEqual([401, 200]);
    const events = await service.database.query(
      `SELECT actor_kind, details->>'successor_id' AS successor FROM audit_events
       WHERE action = 'api_key.rotated' AND target_id = $1`,
      [made.id],
    );
    expect(events).toEqual([{ actor_kind: 'command_line', successor: next.id }]);
  });

  it('lists the runs of past months, for all organizations or one', async () => {
    await json('org', 'create', '--name', 'Busy', '--plan', 'growth');
    await service.database.execute(
      `INSERT INTO usage_counters (organization_id, month, used, overage)
       SELECT id, month::date, used, overage FROM organizations
       JOIN (VALUES ('Busy', '2026-02-01', 200, 9), ('Busy', '2026-03-01', 12, 0), ('Acme', '2026-02-01', 7, 0))
         AS runs (name, month, used, overage) USING (name)`,
    );
    const [raised] = await service.database.query<{ id: string }>(`SELECT id FROM organizations WHERE name = 'Busy'`);
    await moveToPlan(service, raised!.id, 'scale', new Date('2026-03-01T00:00:00Z'));
    const organization_id = expect.stringMatching(/^[0-9a-f-]{36}$/);
    const growth = { organization_id, plan: 'growth', quota: 200 };
    const [march, busy, acme] = [
      {
        month: '2026-03',
        organization_id,
        organization: 'Busy',
        plan: 'scale',
        quota: 1000,
        used: 12,
        overage: 0,
      },
      { month: '2026-02', ...growth, organization: 'Busy', used: 200, overage: 9 },
      { month: '2026-02', ...growth, organization: 'Acme', used: 7, overage: 0 },
    ];
    expect(await json('org', 'usage', '--organization', 'Busy')).toEqual([march, busy]);
    expect(await json('org', 'usage', '--month', '2026-02')).toEqual([acme, busy]);
    expect(await json('org', 'usage')).toEqual(expect.arrayContaining([march, acme, busy]));
    expect((await adminWithin(environment, 'org', 'usage', '--month', '2025-12')).out).toBe('none\n');
    const wrong = await adminWithin(environment, 'org', 'usage', '--month', 'March');
    expect([wrong.code, wrong.err]).toEqual([2, 'error: --month must be a month such as 2026-09\n']);
  });

  it('settles a run that may have been billed, and logs it', async () => {
    const { id } = await json<{ id: string }>('org', 'create', '--name', 'Unsure', '--plan', 'growth');
    const [run, other] = [newId(), newId()];
    for (const [runId, status] of [
      [run, 'unsure'],
      [other, 'expired'],
    ])
      await service.database.execute(
        `INSERT INTO meter_events (id, organization_id, identifier, status, occurred_at, attempts, next_attempt_at)
         VALUES ($1, $2, $3, $4, '2026-10-01T00:00:00Z', 3, '2026-10-01T00:00:00Z')`,
        [newId(), id, `run_overage:${runId}`, status],
      );
    const settle = ['org', 'settle', '--run'];
    expect(await json(...settle, run.toUpperCase(), '--as', 'billed')).toEqual({
      ...{ organization_id: id, run_id: run, as: 'billed', was: 'unsure' },
    });
    expect(await json('org', 'unreported', '--organization', id)).toMatchObject([{ run_id: other, status: 'expired' }]);
    const log = await json<object[]>('audit', 'list', '--organization', id);
    expect(log.at(-1)).toMatchObject({
      action: 'run.billing_settled',
      target_id: run,
      details: { as: 'billed', was: 'unsure' },
    });
    for (const [args, fault] of [
      [[run, '--as', 'billed'], `no run ${run} is waiting to be billed`],
      [[run, '--as', 'paid'], '--as must be one of billed, lost'],
      [['7', '--as', 'lost'], '--run must be an id such as'],
    ] as const)
      expect(await adminWithin(environment, ...settle, ...args)).toMatchObject({
        ...{ code: 2, err: expect.stringContaining(fault) },
      });
  });

  it('lists overage runs that the metering service has not accepted', async () => {
    const { id } = await json<{ id: string }>('org', 'create', '--name', 'Owing', '--plan', 'growth');
    const runs = [newId(), newId(), newId()];
    for (const [at, status] of ['pending', 'expired', 'delivered'].entries())
      await service.database.execute(
        `INSERT INTO meter_events (id, organization_id, identifier, status, occurred_at, attempts, next_attempt_at, last_error)
         VALUES ($1, $2, $3, $4, '2026-10-01T00:00:00Z', 3, '2026-10-01T00:00:00Z', 'Stripe answered 503: ')`,
        [newId(), id, `run_overage:${runs[at]!}`, status],
      );
    const unreported = await json<object[]>('org', 'unreported', '--organization', 'Owing');
    expect(unreported).toEqual(
      ['pending', 'expired'].map((status, at) => ({
        organization_id: id,
        run_id: runs[at],
        occurred_at: '2026-10-01T00:00:00.000Z',
        status,
        attempts: 3,
        last_error: 'Stripe answered 503: ',
      })),
    );
    expect(await json('org', 'unreported')).toEqual(expect.arrayContaining(unreported));
  });

  it('prints help when asked', async () => {
    const { code, out, err } = await admin(environment, 'plan', 'set', '--help');
    expect([code, err]).toEqual([0, '']);
    expect(out).toContain('Usage: admin plan set [options]');
  });

  it('reports an unreachable database in one line', async () => {
    const { code, err } = await admin(
      { ...environment, DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' },
      'org',
      'list',
    );
    expect(code).toBe(1);
    expect(err.trim().split('\n')).toHaveLength(1);
  });
});

describe('the admin command line on the embedded database', () => {
  it('starts and stops it, reports creating a new one, and does not stop one that the service uses', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'admin-embedded-'));
    const environment = { DATA_DIR: directory };
    const options = {
      dataDirectory: directory,
      password: loadSecrets(loadSettings({ DATA_DIR: directory })).databasePassword,
    };
    try {
      const first = await admin(environment, ...BOOTSTRAP, '--json');
      const note = `note: there was no database in ${directory}; this command created one\n`;
      expect([first.code, first.err]).toEqual([0, note]);
      const server = await EmbeddedPostgres.start(options);
      const client = new pg.Client({ connectionString: server.url, application_name: `${APPLICATION_NAME}-app` });
      await client.connect();
      const pid = server.pid;
      const listed = await admin(environment, 'org', 'list', '--json');
      expect(JSON.parse(listed.out)).toMatchObject([{ name: 'Acme', plan: 'growth' }]);
      expect(listed.err).toBe('');
      expect((await client.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
      expect(server.pid).toBe(pid);
      await client.end();
      await server.stop('fast');
    } finally {
      discardDataDirectory(directory);
    }
  });
});
