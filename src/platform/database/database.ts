import pg, { type Pool, type PoolClient, type QueryConfig, type QueryResult, type QueryResultRow } from 'pg';
import { isDatabaseUnavailable, isUnanswered } from './database-faults.js';
import { contains, currentScope, type Scope, type Tenant } from './scope.js';
import {
  enterScope,
  narrowTo,
  type ReplyBound,
  replyBound,
  type StatementBounds,
} from './connections/session-scope.js';

/** The ORM's pool returns all dates and times as text. Here instants become Dates, and calendar days remain text (`YYYY-MM-DD`). */
const types = new pg.TypeOverrides();
types.setTypeParser(pg.types.builtins.DATE, (text: string) => text);

/**
 * SQL that each connection parses and plans only once, under its name: for what nearly every request needs. The plan is generic, so
 * the right index must not depend on any parameter.
 */
export interface PreparedStatement {
  readonly name: string;
  readonly text: string;
}

const statement = (
  sql: string | PreparedStatement,
  parameters: readonly unknown[],
  reply: ReplyBound,
): QueryConfig => ({
  ...(typeof sql === 'string' ? { text: sql } : sql),
  values: [...parameters],
  types,
  ...reply,
});

/** Anything that executes SQL: the pool or a transaction. Query functions take this, so that they work with both. */
export interface Queryable {
  /** Returns all rows. Values are passed as bound parameters ($1, $2 …), never spliced into the text. */
  query<Row extends QueryResultRow>(sql: string | PreparedStatement, parameters?: readonly unknown[]): Promise<Row[]>;
  /** Returns the number of rows that an INSERT, UPDATE or DELETE affected. */
  execute(sql: string, parameters?: readonly unknown[]): Promise<number>;
}

/** An open transaction; `client` is for operations that need the raw connection (COPY). */
export interface Transaction extends Queryable {
  readonly client: PoolClient;
  /** Restricts the transaction to the tenant's rows until it ends: for system work once it has determined its tenant. */
  narrowTo(tenant: Tenant): Promise<void>;
}

class ClientTransaction implements Transaction {
  constructor(
    readonly client: PoolClient,
    private readonly scope: Scope,
    private readonly reply: ReplyBound,
  ) {}

  async query<Row extends QueryResultRow>(
    sql: string | PreparedStatement,
    parameters: readonly unknown[] = [],
  ): Promise<Row[]> {
    return (await this.client.query<Row>(statement(sql, parameters, this.reply))).rows;
  }

  async execute(sql: string, parameters: readonly unknown[] = []): Promise<number> {
    return (await this.client.query(statement(sql, parameters, this.reply))).rowCount ?? 0;
  }

  async narrowTo(tenant: Tenant): Promise<void> {
    const narrower = this.scope.kind === 'system' || (this.scope.kind === 'tenant' && contains(this.scope, tenant));
    if (!narrower) throw new Error('a transaction can only be narrowed to a tenant within its scope');
    await narrowTo(this.client, tenant, this.reply);
  }
}

/**
 * The service's database: hand-written SQL over one connection pool. Every statement runs in the scope of the work that sends it
 * (scope.ts); a transaction keeps the scope it began in.
 */
export class Database implements Queryable {
  /**
   * @param fallback scope of statements sent outside any scope: for tools that serve no tenants. The service sets none
   * @param bounds time limits of statements; without them there is no limit
   */
  constructor(
    readonly pool: Pool,
    private readonly fallback?: Scope,
    private readonly bounds?: StatementBounds,
  ) {}

  async query<Row extends QueryResultRow>(
    sql: string | PreparedStatement,
    parameters: readonly unknown[] = [],
  ): Promise<Row[]> {
    return (await this.send<Row>(sql, parameters)).rows;
  }

  async execute(sql: string, parameters: readonly unknown[] = []): Promise<number> {
    return (await this.send(sql, parameters)).rowCount ?? 0;
  }

  /**
   * Runs `work` in a transaction (READ COMMITTED): committed when it resolves, rolled back when it rejects. A connection in an
   * unknown state is destroyed rather than returned to the pool.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.connected(async (client, scope, giveUp) => {
      const reply = replyBound(scope, this.bounds);
      try {
        await client.query(statement('BEGIN', [], reply));
        const result = await work(new ClientTransaction(client, scope, reply));
        // if a statement failed and its error was swallowed, PostgreSQL answers COMMIT with a silent rollback
        const { command } = await client.query(statement('COMMIT', [], reply));
        if (command !== 'COMMIT') throw new Error('nothing was committed: a statement of the transaction had failed');
        return result;
      } catch (error) {
        // after a statement that got no answer, this would get none either
        if (!isUnanswered(error)) await client.query(statement('ROLLBACK', [], reply)).catch(giveUp);
        if (isDatabaseUnavailable(error)) giveUp(error); // the server may have been replaced
        throw error;
      }
    });
  }

  private send<Row extends QueryResultRow>(
    sql: string | PreparedStatement,
    parameters: readonly unknown[],
  ): Promise<QueryResult<Row>> {
    return this.connected(async (client, scope, giveUp) => {
      try {
        return await client.query<Row>(statement(sql, parameters, replyBound(scope, this.bounds)));
      } catch (error) {
        giveUp(error);
        throw error;
      }
    });
  }

  /** Lends a connection that is in the caller's scope. After `giveUp` it is destroyed instead of returned to the pool. */
  private async connected<T>(
    work: (client: PoolClient, scope: Scope, giveUp: (fault: unknown) => void) => Promise<T>,
  ): Promise<T> {
    const scope = currentScope() ?? this.fallback;
    if (!scope) throw new Error('the database was asked outside any scope: enter one with asTenant or asSystem');
    const client = await this.pool.connect();
    // a connection lost while checked out emits 'error' in addition to rejecting the query in flight
    const ignore = (): void => undefined;
    client.on('error', ignore);
    let broken: Error | undefined;
    const giveUp = (fault: unknown): void => {
      broken = fault as Error;
    };
    try {
      await enterScope(client, scope, this.bounds).catch((fault: unknown) => {
        giveUp(fault);
        throw fault;
      });
      return await work(client, scope, giveUp);
    } finally {
      client.off('error', ignore);
      client.release(broken);
    }
  }
}

/** The row of a statement that returns exactly one. */
export async function one<Row extends QueryResultRow>(
  db: Queryable,
  sql: string | PreparedStatement,
  parameters?: readonly unknown[],
): Promise<Row> {
  return only(await db.query<Row>(sql, parameters));
}

/** The row of a statement that returns one at most. */
export async function oneOrNone<Row extends QueryResultRow>(
  db: Queryable,
  sql: string | PreparedStatement,
  parameters?: readonly unknown[],
): Promise<Row | undefined> {
  const rows = await db.query<Row>(sql, parameters);
  return rows.length === 0 ? undefined : only(rows);
}

/** Whether a SELECT returns any row. Only the first one is looked for. */
export async function exists(db: Queryable, select: string, parameters?: readonly unknown[]): Promise<boolean> {
  return (await one<{ found: boolean }>(db, `SELECT EXISTS (${select}) AS found`, parameters)).found;
}

/** The number of rows that a SELECT returns. */
export async function countRows(db: Queryable, select: string, parameters?: readonly unknown[]): Promise<number> {
  return (await one<{ rows: number }>(db, `SELECT count(*)::int AS rows FROM (${select}) AS counted`, parameters)).rows;
}

/** The only row of a result that must have exactly one. */
export function only<Row>(rows: readonly Row[]): Row {
  const [row] = rows;
  if (row === undefined || rows.length !== 1) throw new Error(`expected one row, got ${rows.length}`);
  return row;
}
