import pg, { type Pool, type PoolClient, type QueryConfig, type QueryResultRow } from 'pg';

/** The ORM's pool hands every time over as text; here instants are Dates, and calendar days stay text (`YYYY-MM-DD`). */
const types = new pg.TypeOverrides();
types.setTypeParser(pg.types.builtins.DATE, (text: string) => text);

const statement = (text: string, parameters: readonly unknown[]): QueryConfig => ({
  text,
  values: [...parameters],
  types,
});

/** Anything SQL can be sent to: the pool, or one transaction. Query functions take this, so they run in both. */
export interface Queryable {
  /** All rows. Values travel as bound parameters ($1, $2 …), never inside the text. */
  query<Row extends QueryResultRow>(sql: string, parameters?: readonly unknown[]): Promise<Row[]>;
  /** Number of rows that an INSERT, UPDATE or DELETE touched. */
  execute(sql: string, parameters?: readonly unknown[]): Promise<number>;
}

/** One open transaction; `client` is for what needs the bare connection (COPY). */
export interface Transaction extends Queryable {
  readonly client: PoolClient;
}

class ClientTransaction implements Transaction {
  constructor(readonly client: PoolClient) {}

  async query<Row extends QueryResultRow>(sql: string, parameters: readonly unknown[] = []): Promise<Row[]> {
    return (await this.client.query<Row>(statement(sql, parameters))).rows;
  }

  async execute(sql: string, parameters: readonly unknown[] = []): Promise<number> {
    return (await this.client.query(statement(sql, parameters))).rowCount ?? 0;
  }
}

/** The database of the service: hand-written SQL over one connection pool. */
export class Database implements Queryable {
  constructor(readonly pool: Pool) {}

  async query<Row extends QueryResultRow>(sql: string, parameters: readonly unknown[] = []): Promise<Row[]> {
    return (await this.pool.query<Row>(statement(sql, parameters))).rows;
  }

  async execute(sql: string, parameters: readonly unknown[] = []): Promise<number> {
    return (await this.pool.query(statement(sql, parameters))).rowCount ?? 0;
  }

  /**
   * Runs `work` in one transaction (READ COMMITTED): committed when it resolves, rolled back when it rejects.
   * A connection whose state is unknown is destroyed, not returned to the pool.
   */
  async transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    const client = await this.pool.connect();
    // a connection lost while checked out emits 'error'; the query in flight rejects on its own
    const ignore = (): void => undefined;
    client.on('error', ignore);
    let broken: Error | undefined;
    try {
      await client.query('BEGIN');
      const result = await work(new ClientTransaction(client));
      await client.query('COMMIT');
      return result;
    } catch (error) {
      await client.query('ROLLBACK').catch((fault: unknown) => (broken = fault as Error));
      throw error;
    } finally {
      client.off('error', ignore);
      client.release(broken);
    }
  }
}

/** The single row of a query that must have exactly one. */
export function only<Row>(rows: readonly Row[]): Row {
  const [row] = rows;
  if (row === undefined || rows.length !== 1) throw new Error(`expected one row, got ${rows.length}`);
  return row;
}
