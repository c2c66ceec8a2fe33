import { setTimeout } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Database } from '../../src/platform/database/database.js';
import { prepareDatabase } from '../../src/platform/database/setup/prepare-database.js';
import { asSystem } from '../../src/platform/database/scope.js';
import { withClient } from '../../src/platform/database/connections/with-client.js';
import { SCHEMA } from '../../src/schema.js';
import { demandCsv } from '../support/api.js';
import { createTestDatabase, type TestDatabase } from '../support/databases.js';
import { tenantWithDemand } from '../support/tenant-with-demand.js';
import { startTestService, type TestService } from '../support/test-service.js';

/** Statements and pauses of the service are longer at times; what a connection says first, before it sets its own limits, is not. */
const LIMIT_MS = 1_000;
/** Each of them once made the service fail, or read wrongly what it had stored. */
const ADVERSE = [
  `search_path = elsewhere`,
  `default_transaction_isolation = serializable`,
  `row_security = off`,
  `"DateStyle" = 'German, DMY'`,
  `"IntervalStyle" = sql_standard`,
  `bytea_output = escape`,
  `extra_float_digits = -4`,
  `timezone = 'Asia/Kathmandu'`,
  `statement_timeout = ${LIMIT_MS}`,
  `idle_in_transaction_session_timeout = ${LIMIT_MS}`,
];

describe('a database with session defaults set by its administrator', () => {
  let database: TestDatabase;
  const services: TestService[] = [];
  afterEach(async () => {
    for (const service of services.splice(0)) await service.close();
    await database.drop();
  });
  const start = async (): Promise<TestService> => {
    const service = await startTestService({ database });
    services.push(service);
    return service;
  };
  const nameOf = ({ url }: TestDatabase): string => new URL(url).pathname.slice(1);

  it('works like any other', async () => {
    database = await createTestDatabase();
    const unset = await start(); // makes the role, and what is asked as the owner below is not set otherwise
    await unset.database.execute('CREATE SCHEMA elsewhere');
    // longer, since it is this process that a session waits for, which may be held up on a busy machine
    for (const setting of [...ADVERSE, `idle_session_timeout = ${3 * LIMIT_MS}`])
      await unset.database.execute(`ALTER ROLE ${nameOf(database)}_service SET ${setting}`);
    const service = await start();
    const { url, secrets } = service;
    const { api } = await tenantWithDemand({ url, secrets, database: unset.database }, demandCsv(3, 30));
    const { id, status } = await api.run({});
    expect(status).toBe('completed');
    const { body } = await api.get<{ ds: string }[]>(`/runs/${id}/forecasts?limit=1`);
    expect(body[0]?.ds).toMatch(/^\d{4}-\d\d-01$/);
    await asSystem('test', () =>
      service.app.get(Database).transaction(async (tx) => {
        await tx.query('SELECT pg_sleep($1)', [(2 * LIMIT_MS) / 1000]);
        await setTimeout(1.5 * LIMIT_MS); // the service itself ends what is idle for four seconds
        await tx.query('SELECT 1');
      }),
    );
  });

  it('is migrated in the schema that the service uses, and found migrated at the next start', async () => {
    database = await createTestDatabase('empty');
    await withClient(database.url, async (client) => {
      await client.query('CREATE SCHEMA elsewhere');
      for (const setting of ADVERSE) await client.query(`ALTER DATABASE ${nameOf(database)} SET ${setting}`);
    });
    await prepareDatabase(SCHEMA, database.url);
    await prepareDatabase(SCHEMA, database.url);
    const placed = await withClient(database.url, (client) =>
      client.query(`SELECT FROM pg_tables WHERE schemaname = 'elsewhere'`),
    );
    expect(placed.rowCount).toBe(0);
  });
});

describe('query parameters of DATABASE_URL', () => {
  it('apply to every connection of the service', async () => {
    const database = await createTestDatabase();
    const { url, host, hostname, port } = Object.assign(new URL(database.url), { url: database.url });
    const asked = `${url.replace(host, 'nowhere.invalid')}&host=${hostname}&port=${port}`;
    const service = await startTestService({ database, environment: { DATABASE_URL: asked } });
    try {
      const { api } = await tenantWithDemand(service, demandCsv(1, 24));
      expect((await api.run({})).status).toBe('completed');
    } finally {
      await service.close();
      await database.drop();
    }
  });
});
