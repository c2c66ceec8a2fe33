import { oneOrNone, type Queryable, type Transaction } from '../../platform/database/database.js';
import type { ListOrder, Slice } from '../../platform/http/pagination.js';
import type { BlockBody } from '../dto/replies.dto.js';
import { shownName } from '../posts/posts.queries.js';

export const BLOCK_ORDER: ListOrder<BlockBody> = {
  list: 'blocks',
  parts: ['instant', 'id'],
  positionOf: (block) => [block.created_at.toISOString(), block.id],
};

const BLOCKS = `SELECT u.id, ${shownName('u')} AS name, b.reason, b.created_at FROM community_blocks b JOIN users u ON u.id = b.user_id`;

/** Latest first. */
export function listBlocks(db: Queryable, { after, limit }: Slice): Promise<BlockBody[]> {
  const [createdAt, id] = after ?? [];
  return db.query<BlockBody>(
    `${BLOCKS} WHERE $1::timestamptz IS NULL OR (b.created_at, b.user_id) < ($1, $2::uuid)
      ORDER BY b.created_at DESC, b.user_id DESC LIMIT $3`,
    [createdAt ?? null, id ?? null, limit],
  );
}

export function findBlock(db: Queryable, userId: string): Promise<BlockBody | undefined> {
  return oneOrNone<BlockBody>(db, `${BLOCKS} WHERE b.user_id = $1`, [userId]);
}

/** For a user who is already blocked, only the reason is replaced; the start and the displayed name stay. */
export async function setBlock(tx: Transaction, userId: string, reason: string, at: Date): Promise<void> {
  await tx.execute(
    `INSERT INTO community_blocks (user_id, name, reason, created_at) SELECT id, name, $2, $3 FROM users WHERE id = $1
     ON CONFLICT (user_id) DO UPDATE SET reason = $2`,
    [userId, reason, at],
  );
}

/** @returns whether the user was blocked */
export async function removeBlock(tx: Transaction, userId: string): Promise<boolean> {
  return (await tx.execute(`DELETE FROM community_blocks WHERE user_id = $1`, [userId])) === 1;
}

/** @returns undefined if there is no such user; an operator counts as one with or without a second factor */
export function findUser(
  db: Queryable,
  userId: string,
): Promise<{ readonly id: string; readonly isOperator: boolean } | undefined> {
  return oneOrNone<{ id: string; isOperator: boolean }>(
    db,
    `SELECT id, is_operator AS "isOperator" FROM users WHERE id = $1`,
    [userId],
  );
}

/** Locks the topics in which the author has posted, in id order. */
export async function lockTopicsOf(tx: Transaction, authorId: string): Promise<void> {
  await tx.query(
    `SELECT FROM community_topics
      WHERE deleted_at IS NULL
        AND id IN (SELECT topic_id FROM community_posts WHERE author_id = $1 AND deleted_at IS NULL)
      ORDER BY id FOR NO KEY UPDATE`,
    [authorId],
  );
}

/** Hides the author's topics and replies, and closes the reports on them. @returns the topic of each text that was hidden */
export async function hideTextsOf(tx: Transaction, authorId: string, at: Date): Promise<string[]> {
  const topics = await tx.query<{ topicId: string }>(
    `UPDATE community_topics SET hidden = true WHERE author_id = $1 AND NOT hidden AND deleted_at IS NULL
     RETURNING id AS "topicId"`,
    [authorId],
  );
  const replies = await tx.query<{ topicId: string }>(
    `UPDATE community_posts SET hidden = true
      WHERE author_id = $1 AND NOT opening AND NOT hidden AND deleted_at IS NULL
     RETURNING topic_id AS "topicId"`,
    [authorId],
  );
  await tx.execute(
    `UPDATE community_reports r SET resolved_at = $2 FROM community_posts p
      WHERE p.id = r.post_id AND p.author_id = $1 AND r.resolved_at IS NULL`,
    [authorId, at],
  );
  return [...topics, ...replies].map(({ topicId }) => topicId);
}
