import type { Transaction } from '../platform/database/database.js';
import { MINUTE_MS } from '../platform/durations.js';
import { Problem } from '../platform/http/problem.js';
import { isId } from '../platform/ids.js';
import { EDIT_WINDOW_MINUTES, type Member } from './topic.js';
import { lockTopic, type TopicState } from './topics.queries.js';

/**
 * A topic or reply as far as this reader may know of it: a hidden one exists for operators only.
 * @throws {Problem} 404
 */
export function requireVisible<T extends { readonly hidden: boolean }>(
  found: T | undefined,
  reader: Member,
  what = 'topic',
): T {
  if (!found || (found.hidden && !reader.isOperator)) throw Problem.notFound(what);
  return found;
}

/**
 * Locks the topic until the transaction ends.
 * @throws {Problem} 404 where the reader may not know of it
 */
export async function requireTopic(tx: Transaction, topicId: string, member: Member): Promise<TopicState> {
  return requireVisible(isId(topicId) ? await lockTopic(tx, topicId) : undefined, member);
}

/** @throws {Problem} 409 `topic_locked` */
export function requireUnlocked(topic: TopicState): void {
  if (topic.locked)
    throw new Problem(409, 'topic_locked', 'The topic is locked: it takes no new replies and no changes.');
}

/** @throws {Problem} 403 `not_the_author`, 409 `edit_window_closed` */
export function requireOwnAndRecent(
  text: { readonly authorId: string | null; readonly createdAt: Date },
  member: Member,
  now: Date,
): void {
  if (text.authorId !== member.id)
    throw new Problem(403, 'not_the_author', 'Only the author may change or delete this.');
  if (now.getTime() - text.createdAt.getTime() > EDIT_WINDOW_MINUTES * MINUTE_MS) {
    const detail = `Texts may be changed or deleted for ${EDIT_WINDOW_MINUTES} minutes after they were written.`;
    throw new Problem(409, 'edit_window_closed', detail);
  }
}
