import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MikroORM } from '@mikro-orm/postgresql';
import pg from 'pg';
import { connectorAccounts } from '../../migrations/0077-connector-accounts.js';
import { accountOf } from '../../src/connectors/credentials/account.js';
import { PLATFORM_NAMES, type PlatformName } from '../../src/connectors/platforms/platform.js';
import { PLATFORMS } from '../../src/connectors/platforms/registry.js';
import { Database } from '../../src/platform/database/database.js';
import { ormOptions } from '../../src/platform/database/setup/orm-options.js';
import { newId } from '../../src/platform/ids.js';
import { SCHEMA } from '../../src/schema.js';
import { createTestDatabase, type TestDatabase } from '../support/databases.js';

const TENANT = '0d0c5b6c-6a3a-4c0e-9d7d-6b7a4c1f0a11';
/** Settings as they are stored, of every platform. */
const SETTINGS: Readonly<Record<PlatformName, Readonly<Record<string, string>>>> = {
  shopify: { shop: 'Example.myshopify.com' },
  woocommerce: { site_url: 'https://Shop.example.com/en' },
  bigcommerce: { store_hash: 'Abc123' },
  quickbooks: { realm_id: '9130', environment: 'production' },
  xero: { tenant_id: TENANT },
  odoo: { url: 'http://erp.example.com:8069', database: 'Main' },
  business_central: { tenant_id: TENANT, environment: 'Production', company_id: TENANT },
  netsuite: { account_id: '1234567_SB1' },
};

describe('the account of connectors created before accounts were stored', () => {
  let database: TestDatabase;
  let pool: pg.Pool;
  let db: Database;
  beforeAll(async () => {
    database = await createTestDatabase('empty');
    pool = new pg.Pool({ connectionString: database.url, max: 2 });
    pool.on('error', () => undefined); // it may still be closing when the database is dropped
    db = new Database(pool, { kind: 'system', reason: 'tests' });
  });
  afterAll(async () => {
    await pool.end();
    await database.drop();
  });

  const migrate = async (options: { to?: string } = {}): Promise<void> => {
    const orm = await MikroORM.init(ormOptions(SCHEMA, database.url, 2, 'migrator'));
    try {
      await orm.migrator.up(options);
    } finally {
      await orm.close(true);
    }
  };
  const connect = async (platform: PlatformName, workspaceId: string, organizationId: string): Promise<string> => {
    const id = newId();
    await db.execute(
      `INSERT INTO connectors (id, organization_id, workspace_id, platform, name, settings, sealed, time_zone, counts_from, interval_minutes, created_at, updated_at)
       VALUES ($1, $2, $3, $4, $4, $5, '', 'UTC', '2026-01-01', 60, now(), now())`,
      [id, organizationId, workspaceId, platform, JSON.stringify(SETTINGS[platform])],
    );
    return id;
  };

  it('is what a new connector would get; of several for one account, the first keeps it', async () => {
    const before = SCHEMA.migrations[SCHEMA.migrations.indexOf(connectorAccounts) - 1]!;
    await migrate({ to: before.name });
    const [organizationId, workspaceId, otherId] = [newId(), newId(), newId()];
    // not by the builders, which write the schema of today
    await db.execute(`INSERT INTO organizations (id, name, plan, created_at) VALUES ($1, 'A', 'growth', now())`, [
      organizationId,
    ]);
    for (const id of [workspaceId, otherId]) {
      await db.execute(
        `INSERT INTO workspaces (id, organization_id, name, time_zone, created_at) VALUES ($1, $2, $3, 'UTC', now())`,
        [id, organizationId, id],
      );
    }
    const expected: Record<string, string> = {};
    for (const platform of PLATFORM_NAMES) {
      const account = accountOf(PLATFORMS[platform], SETTINGS[platform]);
      expected[await connect(platform, workspaceId, organizationId)] = account;
      const second = await connect(platform, workspaceId, organizationId);
      expected[second] = `${account} ${second}`;
      expected[await connect(platform, otherId, organizationId)] = account;
    }
    await migrate();
    const rows = await db.query<{ id: string; account: string }>('SELECT id, account FROM connectors');
    expect(Object.fromEntries(rows.map(({ id, account }) => [id, account]))).toEqual(expected);
  });
});
