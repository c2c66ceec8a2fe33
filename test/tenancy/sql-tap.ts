import type { PoolClient, QueryConfig } from 'pg';
import { Database } from '../../src/platform/database/database.js';
import type { TestService } from '../support/test-service.js';

interface Result {
  readonly command?: string;
  readonly rowCount: number | null;
  readonly rows: unknown[];
}
type Send = (query: unknown, values?: unknown) => Promise<Result>;

/**
 * Sits between the service and its database: tells which statements a request sent, and may send others in their place.
 * In a trial nothing that is written stays, so that the damage of one call does not hide that of the next.
 */
export class SqlTap {
  /** Statements sent since it was emptied, and what came of each: rows touched, and rows returned. */
  readonly sent = new Map<string, string>();
  rewrite: (sql: string) => string = (sql) => sql;
  trial = false;

  constructor(service: TestService) {
    const { pool } = service.app.get(Database);
    const connect: () => Promise<PoolClient> = pool.connect.bind(pool);
    const tapped = new WeakSet<PoolClient>();
    pool.connect = async (): Promise<PoolClient> => {
      const client = await connect();
      if (!tapped.has(client)) {
        tapped.add(client);
        client.query = this.over(client.query.bind(client)) as PoolClient['query'];
      }
      return client;
    };
  }

  private over(send: Send): Send {
    let inTransaction = false;
    return (query, values) => {
      const sent = typeof query === 'string' ? query : isStatement(query) ? query.text : '';
      if (sent === 'BEGIN') inTransaction = true;
      if (sent === 'COMMIT' || sent === 'ROLLBACK') inTransaction = false;
      if (sent === 'COMMIT' && this.trial) return pretended(send);
      // a COPY, which is a stream, and what rules the session itself
      if (!isStatement(query) || OF_SESSIONS.test(sent)) return send(query, values);
      const text = this.rewrite(query.text);
      // a statement prepared under a name keeps its text
      const changed = text === query.text ? query : { ...query, text, name: undefined };
      const ask = (): Promise<Result> => this.noted(query.text, send(changed));
      return this.trial && !inTransaction ? undone(send, ask) : ask();
    };
  }

  private async noted(text: string, sending: Promise<Result>): Promise<Result> {
    this.sent.set(text, this.sent.get(text) ?? '');
    const result = await sending;
    this.sent.set(text, `${this.sent.get(text)} ${result.rowCount} ${JSON.stringify(result.rows)}`);
    return result;
  }
}

/** Transactions, and the scope of a session: taken back with a trial, it would be the wrong one for what follows. */
const OF_SESSIONS = /^(BEGIN|COMMIT|ROLLBACK)$|^SELECT set_config\('app\./;

function isStatement(query: unknown): query is QueryConfig {
  return typeof query === 'object' && query !== null && 'text' in query && !('submit' in query);
}

/** Takes a transaction back, and answers what the service would hear of its commit. */
async function pretended(send: Send): Promise<Result> {
  return { ...(await send('ROLLBACK')), command: 'COMMIT' };
}

async function undone(send: Send, ask: () => Promise<Result>): Promise<Result> {
  await send('BEGIN');
  try {
    return await ask();
  } finally {
    await send('ROLLBACK');
  }
}
