import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { Database } from '../../src/platform/database/database.js';
import { createTestDatabase, type TestDatabase } from '../support/databases.js';

describe('a transaction', () => {
  let made: TestDatabase;
  let pool: pg.Pool;
  let database: Database;
  beforeAll(async () => {
    made = await createTestDatabase();
    pool = new pg.Pool({ connectionString: made.url, max: 1 });
    database = new Database(pool, { kind: 'platform' });
    await database.execute('CREATE TABLE kept (value int PRIMARY KEY)');
  });
  afterAll(async () => {
    await pool.end();
    await made.drop();
  });

  it('rejects when a statement error was swallowed, since nothing is stored', async () => {
    const swallowing = database.transaction(async (tx) => {
      await tx.execute('INSERT INTO kept VALUES (1)');
      await tx.execute('INSERT INTO kept VALUES (1)').catch(() => undefined);
    });
    await expect(swallowing).rejects.toThrow('nothing was committed');
    expect(await database.query('SELECT value FROM kept WHERE value = 1')).toEqual([]);
  });

  it('drops a connection to a read-only server, such as a former primary', async () => {
    const write = (value: number) => database.transaction((tx) => tx.execute('INSERT INTO kept VALUES ($1)', [value]));
    await pool.query('SET default_transaction_read_only = on'); // of the one connection that there is
    await expect(write(3)).rejects.toThrow('read-only transaction');
    expect(await write(3)).toBe(1);
  });

  it('leaves the connection usable for the next one', async () => {
    await database.transaction((tx) => tx.execute('INSERT INTO kept VALUES (2)'));
    expect(await database.query('SELECT value FROM kept WHERE value = 2')).toEqual([{ value: 2 }]);
  });
});
