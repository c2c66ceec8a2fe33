import type pg from 'pg';
import type { Queryable } from '../../src/platform/database/database.js';

/** The plans of the statements that `ask` sends, which are not run: they find nothing. */
export async function plansOf(client: pg.Client, ask: (db: Queryable) => Promise<unknown>): Promise<string> {
  const lines: string[] = [];
  const explain = async (sql: string, values: readonly unknown[] = []): Promise<[]> => {
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${sql}`, [...values]);
    lines.push(...rows.map((row) => row['QUERY PLAN']));
    return [];
  };
  await ask({ query: explain } as unknown as Queryable);
  return lines.join('\n');
}
