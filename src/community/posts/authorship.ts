import type { Transaction } from '../../platform/database/database.js';
import { MINUTE_MS } from '../../platform/durations.js';
import { Problem } from '../../platform/http/problem.js';
import { requireById } from '../../platform/http/require-by-id.js';
import type { ReplyBody } from '../dto/replies.dto.js';
import { EDIT_WINDOW_MINUTES } from '../limits.js';
import type { Member } from '../member.js';
import { findReply } from './posts.queries.js';
import { lockTopic, type TopicState } from './topics.queries.js';

/**
 * Finds a topic or reply that this reader may know about: hidden ones exist only for operators.
 * @throws {Problem} 404
 */
export function requireVisible<T extends { readonly hidden: boolean }>(
  what: 'topic' | 'reply',
  id: string,
  reader: Member,
  find: (id: string) => Promise<T | undefined>,
): Promise<T> {
  return requireById(what, id, async (known) => {
    const found = await find(known);
    return found?.hidden === true && !reader.isOperator ? undefined : found;
  });
}

/**
 * Locks the topic until the transaction ends.
 * @throws {Problem} 404 if the reader may not know about it
 */
export function requireTopic(tx: Transaction, topicId: string, member: Member): Promise<TopicState> {
  return requireVisible('topic', topicId, member, (id) => lockTopic(tx, id));
}

/** @throws {Problem} 404 if the reader may not know about it */
export function requireReply(tx: Transaction, topicId: string, replyId: string, member: Member): Promise<ReplyBody> {
  return requireVisible('reply', replyId, member, (id) => findReply(tx, topicId, id));
}

/** @throws {Problem} 409 `topic_locked` */
export function requireUnlocked(topic: TopicState): void {
  if (topic.locked)
    throw new Problem(409, 'topic_locked', 'The topic is locked. It accepts no new replies and no changes.');
}

/** @throws {Problem} 403 `not_the_author`, 409 `edit_window_closed` */
export function requireOwnAndRecent(
  text: { readonly authorId: string | null; readonly createdAt: Date },
  member: Member,
  now: Date,
): void {
  if (text.authorId !== member.id) throw new Problem(403, 'not_the_author', 'Only the author can edit or delete this.');
  if (now.getTime() - text.createdAt.getTime() > EDIT_WINDOW_MINUTES * MINUTE_MS) {
    const detail = `Posts can be edited or deleted for ${EDIT_WINDOW_MINUTES} minutes after they were written.`;
    throw new Problem(409, 'edit_window_closed', detail);
  }
}
