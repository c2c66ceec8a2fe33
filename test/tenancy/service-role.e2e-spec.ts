import { randomBytes } from 'node:crypto';
import { afterEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { checkSecrets, replaceSecrets } from '../../src/platform/crypto/check-secrets.js';
import type { Secrets } from '../../src/platform/crypto/secrets.js';
import { Database } from '../../src/platform/database/database.js';
import { prepareDatabase } from '../../src/platform/database/setup/prepare-database.js';
import { asTenant } from '../../src/platform/database/scope.js';
import { openServiceRole } from '../../src/platform/database/setup/service-role.js';
import { SCHEMA } from '../../src/schema.js';
import { createOrganization, createWorkspace } from '../support/builders.js';
import { createTestDatabase, type TestDatabase, withAdmin } from '../support/databases.js';

const PASSWORD = 'test-only';
const ROLE_OF_RELEASE_BEFORE = '0022-second-factor';

describe('the database role of the service', () => {
  const undo: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const step of undo.splice(0).reverse()) await step();
  });

  async function connected<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  }
  const run = (url: string, sql: string): Promise<pg.QueryResult> => connected(url, (client) => client.query(sql));

  async function emptyDatabase(): Promise<TestDatabase> {
    const database = await createTestDatabase('empty');
    undo.push(() => database.drop());
    return database;
  }
  /** A login made by the operator, and the database's address by it. */
  async function login(database: TestDatabase, rights: string): Promise<{ role: string; url: string }> {
    const role = `login_${randomBytes(4).toString('hex')}`;
    await run(database.url, `CREATE ROLE ${role} LOGIN PASSWORD '${PASSWORD}' ${rights}`);
    undo.push(() => run(database.url, `DROP OWNED BY ${role} CASCADE; DROP ROLE ${role}`));
    const url = new URL(database.url);
    url.username = role;
    url.password = PASSWORD;
    return { role, url: url.href };
  }
  /** An owner of the database who is nothing else in the server, as hosted databases give. */
  async function ownedBy(database: TestDatabase, rights: string): Promise<{ role: string; url: string }> {
    const owner = await login(database, rights);
    await run(database.url, `GRANT CREATE ON DATABASE ${new URL(database.url).pathname.slice(1)} TO ${owner.role}`);
    await run(database.url, `GRANT ALL ON SCHEMA public TO ${owner.role}`);
    return owner;
  }
  const open = async (ownerUrl: string, givenUrl?: string) => {
    await prepareDatabase(SCHEMA, ownerUrl);
    return openServiceRole(SCHEMA, ownerUrl, { givenUrl, password: PASSWORD });
  };
  /** How many of two organizations' workspaces a tenant of one reaches by the role. */
  async function reach(setUpUrl: string, url: string): Promise<number> {
    const pools = [setUpUrl, url].map((connectionString) => new pg.Pool({ connectionString, max: 1 }));
    for (const pool of pools) pool.on('error', () => undefined); // they may still be closing when the database is dropped
    const [setUp, service] = [new Database(pools[0]!, { kind: 'system', reason: 'tests' }), new Database(pools[1]!)];
    try {
      const organizations = [await createOrganization(setUp), await createOrganization(setUp)];
      for (const { id } of organizations) await createWorkspace(setUp, id);
      const seen = await asTenant({ organizationId: organizations[0]!.id, workspaceId: null }, () =>
        service.query('SELECT id FROM workspaces'),
      );
      return seen.length;
    } finally {
      for (const pool of pools) await pool.end();
    }
  }

  it('is created when the owner may create roles, and gets its password again when that has changed', async () => {
    const database = await emptyDatabase();
    const owner = await ownedBy(database, 'CREATEROLE');
    const first = await open(owner.url);
    const role = new URL(first.url).searchParams.get('user')!;
    undo.push(() => run(database.url, `DROP OWNED BY ${role}; DROP ROLE ${role}`));
    expect(role).toBe(`${new URL(database.url).pathname.slice(1)}_service`);
    expect(first.warning).toBeUndefined();
    expect(await reach(owner.url, first.url)).toBe(1);
    await run(first.url, 'CREATE SEQUENCE bullmq.made_at_the_first_wake_up'); // as the queue does; not the owner's to grant
    await run(database.url, `ALTER ROLE ${role} PASSWORD 'another'`);
    expect(await open(owner.url)).toEqual(first);
    await run(first.url, 'SELECT 1');
  });

  it('is one of its own for each of two databases whose long names begin alike, and stays that of a former release', async () => {
    const start = `${'ж'.repeat(10)}_${randomBytes(4).toString('hex')}_${'x'.repeat(30)}`;
    const urls = ['one', 'two'].map((end) => {
      const url = new URL(process.env['TEST_POSTGRES_URL']!);
      url.pathname = `/${start}${end}`;
      return url.href;
    });
    for (const url of urls) {
      const name = pg.escapeIdentifier(decodeURIComponent(new URL(url).pathname.slice(1)));
      await withAdmin((admin) => admin.query(`CREATE DATABASE ${name}`));
      undo.push(() => withAdmin((admin) => admin.query(`DROP DATABASE ${name}`)));
    }
    const roles: string[] = [];
    const openOwn = async (url: string): Promise<void> => {
      const role = new URL((await open(url)).url).searchParams.get('user')!;
      const quoted = pg.escapeIdentifier(role);
      undo.push(() => run(url, `DROP OWNED BY ${quoted}; DROP ROLE ${quoted}`));
      roles.push(role);
    };
    await openOwn(urls[0]!);
    await openOwn(urls[1]!);
    expect(roles[0]).not.toBe(roles[1]);
    expect(roles.every((role) => Buffer.byteLength(role) <= 63)).toBe(true);
    const former = `${start}_service`;
    await run(urls[0]!, `ALTER ROLE ${pg.escapeIdentifier(roles[0]!)} RENAME TO ${pg.escapeIdentifier(former)}`);
    undo.push(() =>
      run(urls[0]!, `ALTER ROLE ${pg.escapeIdentifier(former)} RENAME TO ${pg.escapeIdentifier(roles[0]!)}`),
    );
    const again = await Promise.all(urls.map(async (url) => new URL((await open(url)).url).searchParams.get('user')));
    expect(again).toEqual([Buffer.from(former).subarray(0, 63).toString(), roles[1]]); // PostgreSQL cuts names
  });

  it('is the login that the operator configures', async () => {
    const database = await emptyDatabase();
    const owner = await ownedBy(database, '');
    const given = await login(database, '');
    expect(await open(owner.url, given.url)).toEqual({ url: given.url });
    expect(await reach(owner.url, given.url)).toBe(1);
    await expect(run(given.url, 'DELETE FROM audit_events')).rejects.toThrow('permission denied');
  });

  it('is the owner, forced under the policies and with a warning, when no other role is possible', async () => {
    const database = await emptyDatabase();
    const owner = await ownedBy(database, '');
    const { audit_events, audit_heads } = SCHEMA.restricted; // what the last migration makes is not there yet
    const restricted = { audit_events: audit_events!, audit_heads: audit_heads! };
    const former = { ...SCHEMA, restricted, migrations: SCHEMA.migrations.slice(0, -1) };
    await prepareDatabase(former, owner.url);
    await openServiceRole(former, owner.url, { givenUrl: undefined, password: PASSWORD });
    const access = await open(owner.url); // the next release migrates as the owner who is bound
    expect(access.url).toBe(owner.url);
    expect(access.warning).toContain(`works as "${owner.role}", the owner of its tables`);
    expect(await reach(owner.url, owner.url)).toBe(1);
    await expect(run(owner.url, 'DELETE FROM audit_events')).rejects.toThrow('permission denied');
    // a later release migrates as before, and a login given later frees the owner for dumps
    await run(owner.url, `DELETE FROM schema_migrations WHERE name = '${SCHEMA.migrations.at(-1)!.name}'`).catch(
      () => 0,
    );
    const given = await login(database, '');
    await openServiceRole(SCHEMA, owner.url, { givenUrl: given.url, password: PASSWORD });
    const { rows } = await run(database.url, 'SELECT FROM pg_class WHERE relforcerowsecurity');
    expect(rows).toEqual([]);
  });

  it('lets the service start again as the owner, whose right to write secret checks it revoked, even after a secret was replaced', async () => {
    const database = await emptyDatabase();
    const owner = await ownedBy(database, '');
    const secrets = { apiKeyPepper: 'p'.repeat(32), encryptionKey: Buffer.alloc(32), databasePassword: '' };
    const start = async (given: Secrets = secrets): Promise<void> => {
      await prepareDatabase(SCHEMA, owner.url);
      await checkSecrets(owner.url, given);
      await openServiceRole(SCHEMA, owner.url, { givenUrl: undefined, password: PASSWORD });
    };
    await start();
    await start();
    const another = { ...secrets, encryptionKey: Buffer.alloc(32, 1) };
    await expect(start(another)).rejects.toThrow('ENCRYPTION_KEY: not the one');
    await connected(owner.url, async (client) => {
      await client.query('BEGIN');
      await replaceSecrets(client, ['ENCRYPTION_KEY'], another);
      await client.query('COMMIT');
    });
    for (const change of ['DELETE FROM secret_checks', 'INSERT INTO secret_checks SELECT * FROM secret_checks'])
      await expect(run(owner.url, change)).rejects.toThrow('permission denied');
    await start(another);
  });

  it('works on a database restored without the queue schema, which an owner cannot dump', async () => {
    const database = await emptyDatabase();
    const owner = await ownedBy(database, 'CREATEROLE');
    const { url } = await open(owner.url);
    const role = new URL(url).searchParams.get('user')!;
    undo.push(() => run(database.url, `DROP OWNED BY ${role}; DROP ROLE ${role}`));
    await run(url, 'CREATE SEQUENCE bullmq.made_at_the_first_wake_up');
    await expect(run(owner.url, 'SELECT last_value FROM bullmq.made_at_the_first_wake_up')).rejects.toThrow(
      'permission',
    );
    await run(database.url, 'DROP SCHEMA bullmq CASCADE');
    expect(await open(owner.url)).toEqual({ url });
    await run(url, 'CREATE SEQUENCE bullmq.made_at_the_first_wake_up');
    expect((await run(url, 'SELECT FROM bullmq.job')).rows).toEqual([]);
  });

  it.each([
    ['a superuser', 'SUPERUSER'],
    ['exempt from the policies', 'BYPASSRLS'],
  ])('is refused when it is %s', async (_what, rights) => {
    const database = await emptyDatabase();
    const given = await login(database, rights);
    await expect(open(database.url, given.url)).rejects.toThrow('bypasses row-level security');
  });

  it('is refused when it is an owner that no policy binds and that cannot create another', async () => {
    const database = await emptyDatabase();
    const owner = await ownedBy(database, 'BYPASSRLS');
    await expect(open(owner.url)).rejects.toThrow('set DATABASE_SERVICE_URL to it');
  });

  it('is refused when it cannot sign in, or connects elsewhere', async () => {
    const database = await emptyDatabase();
    const elsewhere = await emptyDatabase();
    const given = await login(elsewhere, '');
    await expect(open(database.url, given.url)).rejects.toThrow(
      'DATABASE_SERVICE_URL cannot be used: it points to the database',
    );
    const stranger = new URL(database.url);
    stranger.username = 'nobody_such';
    await expect(open(database.url, stranger.href)).rejects.toThrow('DATABASE_SERVICE_URL cannot be used');
  });

  it('reaches the rows that a release without policies left', async () => {
    const database = await emptyDatabase();
    const before = SCHEMA.migrations.findIndex(({ name }) => name === ROLE_OF_RELEASE_BEFORE) + 1;
    await prepareDatabase({ ...SCHEMA, migrations: SCHEMA.migrations.slice(0, before) }, database.url);
    await run(
      database.url,
      `INSERT INTO organizations (id, name, plan, created_at) VALUES ('01900000-0000-7000-8000-000000000001', 'Old', 'growth', now())`,
    );
    const { url } = await open(database.url);
    const pool = new pg.Pool({ connectionString: url, max: 1 });
    pool.on('error', () => undefined); // its connection may still be closing when the database is dropped
    const tenant = { organizationId: '01900000-0000-7000-8000-000000000001', workspaceId: null };
    const rows = await asTenant(tenant, () => new Database(pool).query('SELECT name FROM organizations'));
    await pool.end();
    expect(rows).toEqual([{ name: 'Old' }]);
  });
});
