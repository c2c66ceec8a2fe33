import { counted } from '../../platform/counted.js';
import type { Transaction } from '../../platform/database/database.js';
import { earlier, HOUR_MS } from '../../platform/durations.js';
import { Problem } from '../../platform/http/problem.js';
import type { Member } from '../member.js';
import { findBlock } from '../moderation/blocks.queries.js';
import { newestOf, type LimitedKind, serializeAuthor } from './posting-limits.queries.js';

const PLURALS: Readonly<Record<LimitedKind, string>> = { topic: 'topics', reply: 'replies', report: 'reports' };

/**
 * Refuses a member whom operators have blocked from posting.
 * @throws {Problem} 403 `posting_blocked`
 */
export async function requireUnblocked(tx: Transaction, author: Member): Promise<void> {
  const block = author.isOperator ? undefined : await findBlock(tx, author.id);
  if (block) {
    throw new Problem(403, 'posting_blocked', `Operators have blocked you from posting in the forum: ${block.reason}`);
  }
}

/**
 * Refuses what would exceed the author's limit within any hour; operators answer many posts and are exempt. Requests of an author
 * queue here until the transaction ends, so that several at once do not all pass.
 * @throws {Problem} 403 `posting_blocked`, 429 `posting_too_fast` with Retry-After
 */
export async function enforcePostingLimit(
  tx: Transaction,
  author: Member,
  { written, limit }: { readonly written: LimitedKind; readonly limit: number },
  now: Date,
): Promise<void> {
  if (author.isOperator) return;
  await serializeAuthor(tx, author.id);
  await requireUnblocked(tx, author);
  const times = await newestOf(tx, author.id, { written, since: earlier(now, HOUR_MS), limit });
  const oldest = times.at(-1);
  if (times.length < limit || oldest === undefined) return;
  const seconds = Math.max(1, Math.ceil((oldest.getTime() + HOUR_MS - now.getTime()) / 1000));
  throw Problem.tooMany(
    seconds,
    `You can post at most ${counted(limit, written, PLURALS[written])} per hour. Try again in ${counted(seconds, 'second')}.`,
    'posting_too_fast',
  );
}
