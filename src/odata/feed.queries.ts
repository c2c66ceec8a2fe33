import type { Database, Transaction } from '../platform/database/database.js';
import { Problem } from '../platform/http/problem.js';

/** Longest that a statement of the feed may take, in milliseconds. */
const LONGEST = 30_000;

/**
 * What the statements of the feed run under: they cannot write, whatever they say, and they cannot go on for ever. Compiling
 * them to machine code would take longer than most of them run.
 */
const BOUNDS = `SELECT set_config('transaction_read_only', 'on', true), set_config('statement_timeout', $1, true), set_config('jit', 'off', true)`;

/** Codes by which PostgreSQL tells that a value cannot be computed (22xxx), or that time is up. */
const DATA_EXCEPTION = /^22/;
const TIME_IS_UP = '57014';
const TOO_COMPLEX = '54001';

/**
 * Runs the statements of one reply.
 * @throws {Problem} 400 where an expression has no value for some row, or takes too long
 */
export async function readFeed<Result>(
  database: Database,
  read: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  try {
    return await database.transaction(async (tx) => {
      await tx.query(BOUNDS, [String(LONGEST)]);
      return read(tx);
    });
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (typeof code !== 'string') throw error;
    if (DATA_EXCEPTION.test(code)) throw refusal('a value in it is out of range for some row');
    if (code === TIME_IS_UP) throw refusal(`it takes more than ${LONGEST / 1_000} s; ask for less at a time`);
    if (code === TOO_COMPLEX) throw refusal('it is too complex');
    throw error;
  }
}

function refusal(reason: string): Problem {
  return new Problem(400, 'invalid_request', `The query cannot be answered: ${reason}.`);
}

/** A row as the JSON that the reply carries, and its position where it is the last of a page. */
export interface FeedRow {
  readonly row: string;
  readonly position: string | null;
}
