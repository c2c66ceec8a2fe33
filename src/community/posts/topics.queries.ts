import { oneOrNone, type Queryable, type Transaction } from '../../platform/database/database.js';
import type { ListOrder, Slice } from '../../platform/http/pagination.js';
import type { TopicSummaryBody } from '../dto/replies.dto.js';
import type { CategorySlug } from './categories.js';
import { AUTHOR } from './posts.queries.js';
import { searched, type TopicMatch } from './search.queries.js';

// There is one forum for all customers: no query here names an organization.

/** Columns of a topic with its opening post and author, over the tables of {@link topicTables}. */
const TOPIC_COLUMNS = `t.id, t.category, t.title, p.body, ${AUTHOR}, t.pinned, t.locked, t.hidden, t.reply_count,
  t.created_at, p.edited_at, t.last_activity_at`;
const topicTables = (topics: string): string => `${topics} AS t
  JOIN community_posts p ON p.topic_id = t.id AND p.opening
  LEFT JOIN users u ON u.id = t.author_id`;

export interface TopicFilter extends Slice {
  readonly category?: CategorySlug | undefined;
  readonly match?: TopicMatch | undefined;
}

/** Order of the public list. */
export const TOPIC_ORDER: ListOrder<TopicSummaryBody> = {
  list: 'topics',
  parts: ['boolean', 'instant', 'id'],
  positionOf: (topic) => [String(topic.pinned), topic.last_activity_at.toISOString(), topic.id],
};

/** OFFSET 0 makes PostgreSQL read the topic's posts first; otherwise it would search the full-text index for every topic. */
function matchCondition(match: TopicMatch, bind: (value: unknown) => string): string {
  if ('topicIds' in match) return `id = ANY (${bind(match.topicIds)}::uuid[])`;
  return `(SELECT true FROM (SELECT * FROM community_posts WHERE topic_id = community_topics.id OFFSET 0) p
    WHERE ${searched(bind(match.words))} LIMIT 1)`;
}

/** Publicly visible topics, pinned first, then by latest activity. */
export function listTopics(db: Queryable, filter: TopicFilter): Promise<TopicSummaryBody[]> {
  const parameters: unknown[] = [];
  const bind = (value: unknown): string => `$${parameters.push(value)}`;
  const conditions = ['NOT hidden', 'deleted_at IS NULL'];
  if (filter.category !== undefined) conditions.push(`category = ${bind(filter.category)}`);
  if (filter.after) {
    const [pinned, activity, id] = filter.after;
    const position = [`${bind(pinned === 'true')}::boolean`, `${bind(activity)}::timestamptz`, `${bind(id)}::uuid`];
    conditions.push(`(pinned, last_activity_at, id) < (${position.join(', ')})`);
  }
  if (filter.match) conditions.push(matchCondition(filter.match, bind));
  // selects the page before joining texts and names
  const page = `(SELECT * FROM community_topics WHERE ${conditions.join(' AND ')}
    ORDER BY pinned DESC, last_activity_at DESC, id DESC LIMIT ${bind(filter.limit)})`;
  return db.query<TopicSummaryBody>(
    `SELECT ${TOPIC_COLUMNS} FROM ${topicTables(page)} ORDER BY t.pinned DESC, t.last_activity_at DESC, t.id DESC`,
    parameters,
  );
}

/** The topics that have not been deleted, including hidden ones, in no particular order. */
export function findTopics(db: Queryable, topicIds: readonly string[]): Promise<TopicSummaryBody[]> {
  return db.query<TopicSummaryBody>(
    `SELECT ${TOPIC_COLUMNS} FROM ${topicTables('community_topics')} WHERE t.id = ANY ($1) AND t.deleted_at IS NULL`,
    [topicIds],
  );
}

export async function findTopic(db: Queryable, topicId: string): Promise<TopicSummaryBody | undefined> {
  return (await findTopics(db, [topicId]))[0];
}

/** What determines whether a topic may be written to. */
export interface TopicState {
  readonly id: string;
  readonly authorId: string | null;
  readonly locked: boolean;
  readonly hidden: boolean;
  readonly pinned: boolean;
  readonly createdAt: Date;
}

/** Locks the topic's row, so that decisions based on its state still hold at commit. */
export function lockTopic(tx: Transaction, topicId: string): Promise<TopicState | undefined> {
  return oneOrNone<TopicState>(
    tx,
    `SELECT id, author_id AS "authorId", locked, hidden, pinned, created_at AS "createdAt" FROM community_topics
      WHERE id = $1 AND deleted_at IS NULL FOR NO KEY UPDATE`,
    [topicId],
  );
}

export interface NewTopic {
  readonly id: string;
  readonly category: CategorySlug;
  readonly title: string;
  readonly authorId: string;
  readonly createdAt: Date;
}

export async function insertTopic(tx: Transaction, topic: NewTopic): Promise<void> {
  await tx.execute(
    `INSERT INTO community_topics (id, category, title, author_id, last_activity_at, created_at) VALUES ($1, $2, $3, $4, $5, $5)`,
    [topic.id, topic.category, topic.title, topic.authorId, topic.createdAt],
  );
}

export async function updateTopicHead(
  tx: Transaction,
  topicId: string,
  change: { readonly category: CategorySlug | undefined; readonly title: string | undefined },
): Promise<void> {
  await tx.execute(
    `UPDATE community_topics SET category = coalesce($2, category), title = coalesce($3, title) WHERE id = $1`,
    [topicId, change.category ?? null, change.title ?? null],
  );
}

/** Sets only the given flags, so that concurrent changes by another operator are kept. */
export async function updateTopicFlags(
  tx: Transaction,
  topicId: string,
  flags: { readonly pinned?: boolean; readonly locked?: boolean; readonly hidden?: boolean },
): Promise<void> {
  await tx.execute(
    `UPDATE community_topics SET pinned = coalesce($2, pinned), locked = coalesce($3, locked), hidden = coalesce($4, hidden) WHERE id = $1`,
    [topicId, flags.pinned ?? null, flags.locked ?? null, flags.hidden ?? null],
  );
}

export async function countReply(tx: Transaction, topicId: string, at: Date): Promise<void> {
  await tx.execute(
    `UPDATE community_topics SET reply_count = reply_count + 1, last_activity_at = greatest(last_activity_at, $2) WHERE id = $1`,
    [topicId, at],
  );
}

/** Recounts the replies of these topics after some were deleted, hidden or shown again. */
export async function recountReplies(tx: Transaction, topicIds: readonly string[]): Promise<void> {
  await tx.execute(
    `UPDATE community_topics t SET reply_count = r.replies, last_activity_at = coalesce(r.latest, t.created_at)
       FROM unnest($1::uuid[]) AS topic (id) CROSS JOIN LATERAL (
         SELECT count(*) AS replies, max(created_at) AS latest FROM community_posts
          WHERE topic_id = topic.id AND NOT opening AND NOT hidden AND deleted_at IS NULL) r
      WHERE t.id = topic.id`,
    [topicIds],
  );
}

export async function markTopicDeleted(tx: Transaction, topicId: string, at: Date): Promise<void> {
  await tx.execute(`UPDATE community_topics SET deleted_at = $2, flagged_at = NULL, title = '' WHERE id = $1`, [
    topicId,
    at,
  ]);
}

/** Number of publicly visible topics, and the latest activity, by category. */
export function categoryTotals(db: Queryable): Promise<{ category: string; topics: number; last_activity_at: Date }[]> {
  return db.query(
    `SELECT category, count(*)::int AS topics, max(last_activity_at) AS last_activity_at
       FROM community_topics WHERE NOT hidden AND deleted_at IS NULL GROUP BY category`,
  );
}
