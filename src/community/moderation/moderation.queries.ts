import type { Queryable, Transaction } from '../../platform/database/database.js';
import type { ListOrder, Slice } from '../../platform/http/pagination.js';

export const QUEUE_STATES = ['hidden', 'reported'] as const;
export type QueueState = (typeof QUEUE_STATES)[number];

export interface QueueEntry {
  readonly topicId: string;
  readonly flaggedAt: Date;
}

export interface QueueFilter extends Slice {
  readonly state: QueueState | undefined;
}

export const QUEUE_ORDER: ListOrder<QueueEntry> = {
  list: 'moderation_queue',
  parts: ['instant', 'id'],
  positionOf: (entry) => [entry.flaggedAt.toISOString(), entry.topicId],
};

const HIDDEN = `(t.hidden OR EXISTS (SELECT FROM community_posts p WHERE p.topic_id = t.id AND p.hidden AND p.deleted_at IS NULL))`;
const OPEN_REPORT = `EXISTS (SELECT FROM community_reports r WHERE r.topic_id = t.id AND r.resolved_at IS NULL)`;

/** Topics that are hidden, or have a hidden reply or an open report, latest flagged first. */
export function listQueue(db: Queryable, filter: QueueFilter): Promise<QueueEntry[]> {
  const [flaggedAt, id] = filter.after ?? [];
  return db.query<QueueEntry>(
    `SELECT t.id AS "topicId", t.flagged_at AS "flaggedAt" FROM community_topics t
      WHERE t.flagged_at IS NOT NULL
        AND ($1::text IS DISTINCT FROM 'reported' AND ${HIDDEN} OR $1 IS DISTINCT FROM 'hidden' AND ${OPEN_REPORT})
        AND ($2::timestamptz IS NULL OR (t.flagged_at, t.id) < ($2, $3::uuid))
      ORDER BY t.flagged_at DESC, t.id DESC LIMIT $4`,
    [filter.state ?? null, flaggedAt ?? null, id ?? null, filter.limit],
  );
}

/** Moves topics to the head of the queue. */
export async function flagTopics(tx: Transaction, topicIds: readonly string[], at: Date): Promise<void> {
  await tx.execute(`UPDATE community_topics SET flagged_at = $2 WHERE id = ANY ($1)`, [topicIds, at]);
}

/** Removes a topic from the queue once nothing in it is hidden or reported any more. */
export async function unflagSettledTopic(tx: Transaction, topicId: string): Promise<void> {
  await tx.execute(
    `UPDATE community_topics t SET flagged_at = NULL WHERE id = $1 AND NOT ${HIDDEN} AND NOT ${OPEN_REPORT}`,
    [topicId],
  );
}
