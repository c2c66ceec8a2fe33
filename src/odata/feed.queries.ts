import { type Database, one, type Transaction } from '../platform/database/database.js';
import { isStatementTimeout } from '../platform/database/database-faults.js';
import { codeOf } from '../platform/faults.js';
import { Problem } from '../platform/http/problem.js';

/** Statement timeout of the feed in milliseconds. */
const STATEMENT_TIMEOUT_MS = 15_000;

/**
 * Settings of the feed's transactions: read-only, whatever the statement says, and with a timeout. No JIT, since compiling takes longer
 * than most statements run. Cursors are planned to be read to the end, as most pages are.
 */
const BOUNDS = `SELECT set_config('transaction_read_only', 'on', true), set_config('statement_timeout', $1, true), set_config('jit', 'off', true),
       set_config('cursor_tuple_fraction', '1', true)`;

/** Rows fetched at a time. If a page's size limit ends it early, the database produces at most this many rows in vain. */
const PORTION = 500;

/** PostgreSQL's error codes for values that cannot be computed (22xxx) and for limits of its own (54xxx). */
const DATA_EXCEPTION = /^22/;
const TOO_COMPLEX = /^54/;

/**
 * Runs the statements of one response.
 * @throws {Problem} 400 if an expression has no value for some row, is too complex or takes too long
 */
export async function readFeed<Result>(
  database: Database,
  read: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  try {
    return await database.transaction(async (tx) => {
      await tx.query(BOUNDS, [String(STATEMENT_TIMEOUT_MS)]);
      return read(tx);
    });
  } catch (error) {
    if (isStatementTimeout(error)) throw tooSlow();
    const code = codeOf(error);
    if (DATA_EXCEPTION.test(code)) throw refusal('a value in it is out of range for at least one row');
    if (TOO_COMPLEX.test(code)) throw refusal('it is too complex');
    throw error;
  }
}

/** A row as the JSON that the response contains, and its position in the order. */
export interface FeedRow {
  readonly row: string;
  /** Null if there is only one row. */
  readonly position: string | null;
  /** As of when the page is read: the same for all of its rows. */
  readonly asOf: string;
}

export interface FeedRows {
  readonly rows: readonly FeedRow[];
  /** Whether the page's size limit ended it early although more rows follow. */
  readonly cut: boolean;
}

/**
 * The rows of a page statement (sql/page-statement.ts), as many as fit on a page.
 * @throws {Problem} 400 if not even one fits, or if it takes too long
 */
export async function readRows(tx: Transaction, sql: string, values: readonly unknown[]): Promise<FeedRows> {
  const until = performance.now() + STATEMENT_TIMEOUT_MS;
  const rows: FeedRow[] = [];
  await tx.execute(`DECLARE page NO SCROLL CURSOR FOR ${sql}`, values);
  for (;;) {
    const portion = await tx.query<{ row: string | null; position: string | null; as_of: string }>(
      `FETCH ${PORTION} FROM page`,
    );
    for (const { row, position, as_of } of portion) {
      if (row !== null) rows.push({ row, position, asOf: as_of });
      else if (rows.length > 0) return { rows, cut: true };
      else throw refusal('one of its rows is larger than the maximum page size');
    }
    if (portion.length < PORTION) return { rows, cut: false };
    if (performance.now() > until) throw tooSlow();
  }
}

/** The count of a count statement (sql/page-statement.ts). */
export async function readCount(tx: Transaction, sql: string, values: readonly unknown[]): Promise<number> {
  return (await one<{ count: number }>(tx, sql, values)).count;
}

const tooSlow = (): Problem =>
  refusal(`it takes more than ${STATEMENT_TIMEOUT_MS / 1_000} s; request less data at a time`);

function refusal(reason: string): Problem {
  return new Problem(400, 'invalid_request', `The query cannot be answered: ${reason}.`);
}
