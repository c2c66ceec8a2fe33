import { exists, oneOrNone, type Queryable, type Transaction } from '../../platform/database/database.js';
import type { IdSlice } from '../../platform/http/pagination.js';
import type { ReplyBody } from '../dto/replies.dto.js';
import { MAX_LISTED } from '../limits.js';

/**
 * SQL for the displayed name of the user `u`. A blocked user keeps the name from the start of the block: a new one would keep
 * speaking from below old texts.
 */
export const shownName = (u: string): string =>
  `coalesce((SELECT blocked.name FROM community_blocks blocked WHERE blocked.user_id = ${u}.id), ${u}.name)`;

/** SQL for the user `u` as JSON: null if the account is gone. */
export const userBody = (u: string): string =>
  `CASE WHEN ${u}.id IS NOT NULL THEN json_build_object('id', ${u}.id, 'name', ${shownName(u)}) END`;

/** The author of a text, from the table `u`. */
export const AUTHOR = `${userBody('u')} AS author`;

const REPLIES = `SELECT p.id, p.topic_id, ${AUTHOR}, p.body, p.hidden, p.created_at, p.edited_at
  FROM community_posts p LEFT JOIN users u ON u.id = p.author_id
  WHERE p.topic_id = $1 AND NOT p.opening AND p.deleted_at IS NULL`;

export interface ReplyFilter extends IdSlice {
  readonly includeHidden: boolean;
}

/** Replies, oldest first as a conversation is read: ids follow the time of writing. */
export function listReplies(db: Queryable, topicId: string, filter: ReplyFilter): Promise<ReplyBody[]> {
  return db.query<ReplyBody>(
    `${REPLIES} AND ($2 OR NOT p.hidden) AND ($3::uuid IS NULL OR p.id > $3) ORDER BY p.id LIMIT $4`,
    [topicId, filter.includeHidden, filter.after ?? null, filter.limit],
  );
}

export function findReply(db: Queryable, topicId: string, replyId: string): Promise<ReplyBody | undefined> {
  return oneOrNone<ReplyBody>(db, `${REPLIES} AND p.id = $2`, [topicId, replyId]);
}

export interface NewPost {
  readonly id: string;
  readonly topicId: string;
  readonly authorId: string;
  readonly body: string;
  /** Only for the opening post: its words are searchable too. */
  readonly title?: string;
  readonly createdAt: Date;
}

export async function insertPost(tx: Transaction, post: NewPost): Promise<void> {
  await tx.execute(
    `INSERT INTO community_posts (id, topic_id, opening, author_id, body, search, created_at)
     VALUES ($1, $2, $3, $4, $5, to_tsvector('english', $6), $7)`,
    [
      post.id,
      post.topicId,
      post.title !== undefined,
      post.authorId,
      post.body,
      searchedText(post.body, post.title),
      post.createdAt,
    ],
  );
}

/** The text that is searched: accented letters in a single form (NFC), however they were typed. */
const searchedText = (body: string, title?: string): string =>
  (title === undefined ? body : `${title}\n${body}`).normalize('NFC');

export async function updateReplyBody(tx: Transaction, replyId: string, body: string, at: Date): Promise<void> {
  await tx.execute(
    `UPDATE community_posts SET body = $2, search = to_tsvector('english', $3), edited_at = $4 WHERE id = $1`,
    [replyId, body, searchedText(body), at],
  );
}

export async function updateOpeningPost(
  tx: Transaction,
  topicId: string,
  text: { readonly title: string; readonly body: string },
  at: Date,
): Promise<void> {
  await tx.execute(
    `UPDATE community_posts SET body = $2, search = to_tsvector('english', $3), edited_at = $4 WHERE topic_id = $1 AND opening`,
    [topicId, text.body, searchedText(text.body, text.title), at],
  );
}

/** Deletes a reply's text. The row stays and counts against the author's limit. */
export async function markReplyDeleted(tx: Transaction, replyId: string, at: Date): Promise<void> {
  await tx.execute(`UPDATE community_posts SET body = '', search = '', deleted_at = $2 WHERE id = $1`, [replyId, at]);
}

/** Deletes all texts of a topic. */
export async function markPostsDeleted(tx: Transaction, topicId: string, at: Date): Promise<void> {
  await tx.execute(
    `UPDATE community_posts SET body = '', search = '', deleted_at = $2 WHERE topic_id = $1 AND deleted_at IS NULL`,
    [topicId, at],
  );
}

/** The newest {@link MAX_LISTED} hidden replies of each of these topics, newest first. */
export function hiddenReplies(
  db: Queryable,
  topicIds: readonly string[],
): Promise<{ readonly id: string; readonly topic_id: string }[]> {
  return db.query(
    `SELECT reply.id, topic.id AS topic_id FROM unnest($1::uuid[]) AS topic (id) CROSS JOIN LATERAL (
       SELECT id FROM community_posts WHERE topic_id = topic.id AND hidden AND deleted_at IS NULL ORDER BY id DESC LIMIT $2) reply
     ORDER BY reply.id DESC`,
    [topicIds, MAX_LISTED],
  );
}

export async function setReplyHidden(tx: Transaction, replyId: string, hidden: boolean): Promise<void> {
  await tx.execute(`UPDATE community_posts SET hidden = $2 WHERE id = $1`, [replyId, hidden]);
}

/** Whether anyone but the author has replied. */
export function hasRepliesByOthers(db: Queryable, topicId: string, authorId: string): Promise<boolean> {
  return exists(
    db,
    `SELECT FROM community_posts
      WHERE topic_id = $1 AND NOT opening AND deleted_at IS NULL AND author_id IS DISTINCT FROM $2`,
    [topicId, authorId],
  );
}

/** Id of the post that a topic started with. */
export async function openingPostId(db: Queryable, topicId: string): Promise<string | undefined> {
  const row = await oneOrNone<{ id: string }>(db, `SELECT id FROM community_posts WHERE topic_id = $1 AND opening`, [
    topicId,
  ]);
  return row?.id;
}
