import { afterAll, beforeAll } from '@jest/globals';
import pg from 'pg';
import type { Transaction } from '../../src/platform/database/database.js';
import { createTestDatabase, type TestDatabase } from './databases.js';

interface PlanningDatabase {
  /** Executes a statement as the owner of the tables. */
  execute(sql: string, values?: readonly unknown[]): Promise<void>;
  /** Inserts an organization with these workspaces, for rows that refer to them. */
  addOrganization(organizationId: string, workspaceIds: readonly string[]): Promise<void>;
  /** The plans of the statements that `ask` sends. They are not executed, and return no rows. */
  plansOf(ask: (db: Transaction) => Promise<unknown>): Promise<string>;
}

/** A database for the surrounding `describe` that explains how it would execute statements. */
export function planningDatabase(): PlanningDatabase {
  let database: TestDatabase;
  let client: pg.Client;
  beforeAll(async () => {
    database = await createTestDatabase();
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
  });
  afterAll(async () => {
    await client.end();
    await database.drop();
  });
  const execute: PlanningDatabase['execute'] = async (sql, values = []) => void (await client.query(sql, [...values]));
  return {
    execute,
    addOrganization: async (organizationId, workspaceIds) => {
      await execute(`INSERT INTO organizations (id, name, plan, created_at) VALUES ($1, 'Acme', 'growth', now())`, [
        organizationId,
      ]);
      await execute(
        `INSERT INTO workspaces (id, organization_id, name, created_at)
         SELECT id, $1, 'Shop', now() FROM unnest($2::uuid[]) AS id`,
        [organizationId, workspaceIds],
      );
    },
    plansOf: async (ask) => {
      const lines: string[] = [];
      const explain = async (sql: string, values: readonly unknown[] = []): Promise<[]> => {
        const { rows } = await client.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${sql}`, [...values]);
        lines.push(...rows.map((row) => row['QUERY PLAN']));
        return [];
      };
      await ask({ query: explain, execute: explain } as unknown as Transaction);
      return lines.join('\n');
    },
  };
}
