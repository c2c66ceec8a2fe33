import type { Transaction } from '../../platform/database/database.js';
import { serialize } from '../../platform/database/serialize.js';

/** What the limits count. */
export type LimitedKind = 'topic' | 'reply' | 'report';

/** Serializes the transactions of an author. */
export const serializeAuthor = (tx: Transaction, authorId: string): Promise<void> =>
  serialize(tx, `community ${authorId}`);

const TIMES: Readonly<Record<LimitedKind, string>> = {
  topic: `SELECT created_at FROM community_posts WHERE author_id = $1 AND created_at > $2 AND opening`,
  reply: `SELECT created_at FROM community_posts WHERE author_id = $1 AND created_at > $2 AND NOT opening`,
  report: `SELECT created_at FROM community_reports WHERE reporter_id = $1 AND created_at > $2`,
};

/** When the author wrote the newest `limit` of a kind since then, newest first; deleted ones count. */
export async function newestOf(
  tx: Transaction,
  authorId: string,
  { written, since, limit }: { readonly written: LimitedKind; readonly since: Date; readonly limit: number },
): Promise<Date[]> {
  const rows = await tx.query<{ created_at: Date }>(`${TIMES[written]} ORDER BY created_at DESC LIMIT $3`, [
    authorId,
    since,
    limit,
  ]);
  return rows.map((row) => row.created_at);
}
