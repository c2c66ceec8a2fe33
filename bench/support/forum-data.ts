import type { Queryable } from '../../src/platform/database/database.js';
import { CATEGORY_SLUGS } from '../../src/community/posts/categories.js';

/** How many texts the forum has. */
export interface ForumSize {
  readonly topics: number;
  readonly replies: number;
}

/** Words people look for, from those in every fifth text to those in a handful. */
export const SEARCHES = [
  { kind: 'a word of every fifth text', words: 'forecast' },
  { kind: 'a word of one text in a hundred', words: 'warehouse' },
  { kind: 'a word of one text in ten thousand', words: 'rounding' },
  { kind: 'a word nobody used', words: 'unheardof' },
  { kind: 'two words', words: 'forecast warehouse' },
  { kind: 'a phrase', words: '"warehouse forecast"' },
  { kind: 'one word without another', words: 'warehouse -forecast' },
] as const;

/** Share of the texts that hold each word looked for. */
const PLANTED: readonly (readonly [string, number])[] = [
  ['forecasts', 0.2],
  ['warehouse', 0.01],
  ['rounding', 0.0001],
  ['warehouse forecasting', 0.001],
];

const SYLLABLES = [
  'ba',
  'den',
  'for',
  'gal',
  'ki',
  'lo',
  'mer',
  'nu',
  'pra',
  'ro',
  'sti',
  'ton',
  'va',
  'wes',
  'yl',
  'zen',
];

/** 4,096 words that no stemmer or stop list knows. */
const VOCABULARY = SYLLABLES.flatMap((a) => SYLLABLES.flatMap((b) => SYLLABLES.map((c) => a + b + c)));

/** Posts a statement: each stays well within what a laptop can hold. */
const SLICE = 100_000;
const TEXTS = 50_000;

/** Fills an empty forum: texts of 10 to 40 words, frequent words far more frequent than rare ones, topics of uneven length. */
export async function fillForum(db: Queryable, { topics, replies }: ForumSize): Promise<void> {
  await db.execute('SELECT setseed(0.5)');
  await db.execute(
    `DROP INDEX community_posts_search, community_posts_author, community_posts_thread, community_posts_opening`,
  );
  await db.execute(
    `INSERT INTO users (id, email, name, password_hash, password_changed_at, created_at)
     SELECT gen_random_uuid(), 'user' || n || '@example.com', 'User ' || n, '', now(), now() FROM generate_series(1, 5000) n`,
  );
  await db.execute(
    `INSERT INTO community_topics (id, category, title, author_id, pinned, hidden, reply_count, last_activity_at, created_at)
     SELECT gen_random_uuid(), ($2::text[])[1 + n % cardinality($2::text[])], 'Question number ' || n,
            users[1 + n % cardinality(users)], n % 20000 = 0, n % 1000 = 1, 0,
            timestamptz '2026-01-01' + n * interval '4 minutes', timestamptz '2026-01-01' + n * interval '4 minutes'
       FROM generate_series(1, $1::int) n, (SELECT array_agg(id) AS users FROM users) u`,
    [topics, [...CATEGORY_SLUGS]],
  );
  await createTexts(db);
  for (let from = 0; from < topics + replies; from += SLICE) {
    await insertPosts(db, from, Math.min(from + SLICE, topics + replies), topics);
  }
  await db.execute('DROP TABLE bench_texts');
  await db.execute(
    `UPDATE community_topics t SET reply_count = r.replies, last_activity_at = greatest(t.last_activity_at, r.latest)
       FROM (SELECT topic_id, count(*) AS replies, max(created_at) AS latest FROM community_posts WHERE NOT opening GROUP BY topic_id) r
      WHERE r.topic_id = t.id`,
  );
  await db.execute(`CREATE INDEX community_posts_thread ON community_posts (topic_id, id)`);
  await db.execute(`CREATE UNIQUE INDEX community_posts_opening ON community_posts (topic_id) WHERE opening`);
  await db.execute(`CREATE INDEX community_posts_author ON community_posts (author_id, created_at)`);
  await db.execute(`CREATE INDEX community_posts_search ON community_posts USING gin (search)`);
  await db.execute(`VACUUM ANALYZE`);
}

/** Texts that posts are made from; a post adds the words that are looked for, so that hardly two are the same. */
async function createTexts(db: Queryable): Promise<void> {
  await db.execute(
    `CREATE UNLOGGED TABLE bench_texts AS
     SELECT n AS number, body, to_tsvector('english', body) AS search
       FROM generate_series(0, $1::int - 1) n
      CROSS JOIN LATERAL (
        SELECT string_agg(word, ' ') AS body
          FROM (SELECT ($2::text[])[1 + floor(power(random(), 3) * cardinality($2::text[]))::int] AS word
                  FROM generate_series(1, 10 + n % 31)) words) text`,
    [TEXTS, VOCABULARY],
  );
  await db.execute('CREATE INDEX ON bench_texts (number)');
  await db.execute('ANALYZE bench_texts');
}

/** Posts number `from` up to `to`: the first `topics` of them open a topic each, the others reply to one. */
async function insertPosts(db: Queryable, from: number, to: number, topics: number): Promise<void> {
  const planted = PLANTED.map(([words, share]) => `CASE WHEN random() < ${share} THEN ' ${words}' ELSE '' END`).join(
    ' || ',
  );
  await db.execute(
    `WITH numbers AS MATERIALIZED (
       SELECT n, CASE WHEN n < $3 THEN n ELSE floor(power(random(), 2) * $3)::int END AS topic_number,
              floor(random() * $4)::int AS text_number, ${planted} AS planted
         FROM generate_series($1::int, $2::int - 1) n),
     topic AS MATERIALIZED (
       SELECT id, author_id, created_at, row_number() OVER (ORDER BY created_at) - 1 AS number FROM community_topics)
     INSERT INTO community_posts (id, topic_id, opening, author_id, body, search, created_at)
     SELECT gen_random_uuid(), topic.id, n < $3, topic.author_id, text.body || planted,
            text.search || to_tsvector('english', planted), topic.created_at + random() * interval '200 days'
       FROM numbers
       JOIN topic ON topic.number = numbers.topic_number
       JOIN bench_texts text ON text.number = numbers.text_number`,
    [from, to, topics, TEXTS],
  );
}
