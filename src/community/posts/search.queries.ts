import type { Queryable } from '../../platform/database/database.js';

/**
 * The topics that match a search: as a list of ids, or as words to look for in the posts of one topic after another. A few matches
 * are found by the index and sorted; if every other topic matches, the first page of the list is full long before the matches could
 * be counted. PostgreSQL cannot choose between the two on its own: it has no statistics on rare words and assumes that they are
 * common (docs/community.md has the measurements).
 */
export type TopicMatch = { readonly topicIds: readonly string[] } | { readonly words: string };

/** Number of matching posts up to which their topics are listed by id. */
const NAMED_MATCHES = 2_000;

/** SQL condition on a publicly visible post `p`. `words` is the placeholder for the input of websearch_to_tsquery. */
export const searched = (words: string): string =>
  `p.search @@ websearch_to_tsquery('english', ${words}) AND NOT p.hidden AND p.deleted_at IS NULL`;

/** @param asked words, "a phrase", or, -without; anything else is not an error, it is just not an operator */
export async function findMatches(db: Queryable, asked: string): Promise<TopicMatch> {
  const words = asked.normalize('NFC'); // like the texts
  // a limit that is not a constant keeps the full-text index the cheapest plan; a constant one may lead to a scan
  const rows = await db.query<{ topic_id: string }>(
    `SELECT p.topic_id FROM community_posts p WHERE ${searched('$1')} LIMIT (SELECT $2::int)`,
    [words, NAMED_MATCHES + 1],
  );
  if (rows.length > NAMED_MATCHES) return { words };
  return { topicIds: [...new Set(rows.map((row) => row.topic_id))] };
}
