import type { Queryable } from '../platform/database/database.js';

/**
 * The topics a search finds: by name, or as words to be looked for in the posts of one topic after the other. Few matches
 * are found by the index and sorted; where every other topic matches, the first page of the list is full long before the
 * matches would be counted. PostgreSQL cannot choose between the two by itself: it has no statistics of rare words and
 * takes them for common ones (docs/community.md has the measurements).
 */
export type TopicMatch = { readonly topicIds: readonly string[] } | { readonly words: string };

/** Matching posts up to which their topics are named. */
const NAMED_MATCHES = 2_000;

/** Condition on a post `p` that anyone may read. `words` is the placeholder of what websearch_to_tsquery reads. */
export const searched = (words: string): string =>
  `p.search @@ websearch_to_tsquery('english', ${words}) AND NOT p.hidden AND p.deleted_at IS NULL`;

/** @param asked words, "a phrase", or, -without; anything else is no fault, only no operator */
export async function findMatches(db: Queryable, asked: string): Promise<TopicMatch> {
  const words = asked.normalize('NFC'); // as the texts
  // a limit that is not a constant leaves the full-text index the cheapest way, where a constant one may lead to a scan
  const rows = await db.query<{ topic_id: string }>(
    `SELECT p.topic_id FROM community_posts p WHERE ${searched('$1')} LIMIT (SELECT $2::int)`,
    [words, NAMED_MATCHES + 1],
  );
  if (rows.length > NAMED_MATCHES) return { words };
  return { topicIds: [...new Set(rows.map((row) => row.topic_id))] };
}
