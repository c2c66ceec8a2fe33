import pg from 'pg';
import { findMatches } from '../src/community/posts/search.queries.js';
import { categoryTotals, listTopics, TOPIC_ORDER } from '../src/community/posts/topics.queries.js';
import { listReplies } from '../src/community/posts/posts.queries.js';
import { Database, type Queryable } from '../src/platform/database/database.js';
import { prepareDatabase } from '../src/platform/database/setup/prepare-database.js';
import { SCHEMA } from '../src/schema.js';
import type { Arguments } from './support/arguments.js';
import { fillForum, type ForumSize, SEARCHES } from './support/forum-data.js';
import { startScratchServer } from './support/scratch-server.js';

/** Times a query is measured, after it was run once to warm up. */
const REPETITIONS = 21;

interface Measurement {
  readonly rows: number;
  readonly median_ms: number;
  readonly p95_ms: number;
  readonly target_ms: number | null;
}

/** See {@link run}. */
export const OPTIONS = { values: ['topics', 'replies'], flags: ['plans'] };

/**
 * The forum at 100,000 topics and 1,000,000 replies (`--topics`, `--replies` change that) in an embedded PostgreSQL of
 * its own: time from sending a query to having its rows as objects. `--plans` adds the plans PostgreSQL chose.
 */
export async function run(options: Arguments): Promise<object> {
  const size: ForumSize = {
    topics: options.count('topics') ?? 100_000,
    replies: options.count('replies') ?? 1_000_000,
  };
  // only filling the tables is spared durability, reading does not depend on it
  const server = await startScratchServer({ fsync: 'off', synchronous_commit: 'off', maintenance_work_mem: '512MB' });
  try {
    await prepareDatabase(SCHEMA, server.url);
    const pool = new pg.Pool({ connectionString: server.url, max: 2 });
    try {
      const database = new Database(pool, { kind: 'system', reason: 'benchmark' });
      const began = performance.now();
      await fillForum(database, size);
      const filled = (performance.now() - began) / 1_000;
      const measurements: Record<string, Measurement> = {};
      const plans: Record<string, string[]> = {};
      for (const { name, target, ask } of await questions(database)) {
        measurements[name] = await measure(target, () => ask(database));
        const explained = new Explained(database);
        await ask(explained);
        plans[name] = explained.plans;
      }
      return { size, filled_in_seconds: Math.round(filled), measurements, ...(options.flag('plans') ? { plans } : {}) };
    } finally {
      await pool.end();
    }
  } finally {
    await server.discard();
  }
}

interface Question {
  readonly name: string;
  /** Milliseconds at the median; null where none was promised. */
  readonly target: number | null;
  readonly ask: (db: Queryable) => Promise<readonly unknown[]>;
}

/** Targets of a list and of a search: milliseconds at the median. */
const LIST_MS = 20;
const SEARCH_MS = 100;
/** What a page of fifty is cut from. */
const ROWS = 51;

async function questions(db: Queryable): Promise<Question[]> {
  const middle = (await listTopics(db, { limit: 5_001 })).at(-1);
  if (!middle) throw new Error('the forum is empty');
  const after = TOPIC_ORDER.positionOf(middle);
  return [
    { name: 'list, first page', target: LIST_MS, ask: (q) => listTopics(q, { limit: ROWS }) },
    { name: 'list, page 100', target: LIST_MS, ask: (q) => listTopics(q, { limit: ROWS, after }) },
    { name: 'list, one category', target: LIST_MS, ask: (q) => listTopics(q, { limit: ROWS, category: 'billing' }) },
    {
      name: 'topic, first replies',
      target: LIST_MS,
      ask: (q) => listReplies(q, middle.id, { includeHidden: false, limit: ROWS }),
    },
    { name: 'categories', target: null, ask: (q) => categoryTotals(q) },
    ...SEARCHES.flatMap(({ kind, words }) => [
      {
        name: `search, ${kind}`,
        target: SEARCH_MS,
        ask: async (q: Queryable) => listTopics(q, { limit: ROWS, match: await findMatches(q, words) }),
      },
      {
        name: `search, ${kind}, one category`,
        target: SEARCH_MS,
        ask: async (q: Queryable) =>
          listTopics(q, { limit: ROWS, match: await findMatches(q, words), category: 'ideas' }),
      },
    ]),
  ];
}

async function measure(target: number | null, ask: () => Promise<readonly unknown[]>): Promise<Measurement> {
  let rows = (await ask()).length;
  const times: number[] = [];
  for (let n = 0; n < REPETITIONS; n += 1) {
    const began = performance.now();
    rows = (await ask()).length;
    times.push(performance.now() - began);
  }
  times.sort((a, b) => a - b);
  const at = (share: number): number => Number(times[Math.floor(share * (times.length - 1))]!.toFixed(2));
  return { rows, median_ms: at(0.5), p95_ms: at(0.95), target_ms: target };
}

/** Runs every query twice, once explained. */
class Explained implements Queryable {
  readonly plans: string[] = [];

  constructor(private readonly db: Queryable) {}

  async query<Row extends pg.QueryResultRow>(sql: string, parameters?: readonly unknown[]): Promise<Row[]> {
    const rows = await this.db.query<{ 'QUERY PLAN': string }>(
      `EXPLAIN (ANALYZE, BUFFERS, COSTS OFF) ${sql}`,
      parameters,
    );
    this.plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'));
    return this.db.query<Row>(sql, parameters);
  }

  execute(sql: string, parameters?: readonly unknown[]): Promise<number> {
    return this.db.execute(sql, parameters);
  }
}
