import { Inject, Injectable } from '@nestjs/common';
import type { Settings } from '../../../config/settings.js';
import { Clock } from '../../platform/clock.js';
import { Database, type Transaction } from '../../platform/database/database.js';
import { newId } from '../../platform/ids.js';
import { SETTINGS } from '../../platform/platform.module.js';
import type { WriteReplyDto } from '../dto/inputs.dto.js';
import type { ReplyBody } from '../dto/replies.dto.js';
import type { Member } from '../member.js';
import { unflagSettledTopic } from '../moderation/moderation.queries.js';
import { resolveReports } from '../moderation/reports.queries.js';
import { requireOwnAndRecent, requireReply, requireTopic, requireUnlocked } from './authorship.js';
import { enforcePostingLimit, requireUnblocked } from './posting-limits.js';
import { insertPost, markReplyDeleted, updateReplyBody } from './posts.queries.js';
import { countReply, recountReplies } from './topics.queries.js';

@Injectable()
export class RepliesService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** @throws {Problem} 403 `posting_blocked`; 404; 409 `topic_locked`; 429 `posting_too_fast` */
  add(author: Member, topicId: string, input: WriteReplyDto): Promise<ReplyBody> {
    const limit = { written: 'reply', limit: this.settings.COMMUNITY_REPLIES_PER_HOUR } as const;
    return this.database.transaction(async (tx) => {
      // locks the author before the topic, like everywhere
      await enforcePostingLimit(tx, author, limit, this.clock.now());
      requireUnlocked(await requireTopic(tx, topicId, author));
      // timestamped under the lock, so that replies are in commit order and readers who paginate miss none
      const [id, now] = [newId(), this.clock.now()];
      await insertPost(tx, { id, topicId, authorId: author.id, body: input.body, createdAt: now });
      await countReply(tx, topicId, now);
      return requireReply(tx, topicId, id, author);
    });
  }

  /** @throws {Problem} 404; 403 `not_the_author`, `posting_blocked`; 409 `edit_window_closed`, `topic_locked` */
  edit(author: Member, topicId: string, replyId: string, input: WriteReplyDto): Promise<ReplyBody> {
    return this.ownRecent(author, topicId, replyId, async (tx, now) => {
      await requireUnblocked(tx, author);
      await updateReplyBody(tx, replyId, input.body, now);
      return requireReply(tx, topicId, replyId, author);
    });
  }

  /** @throws {Problem} 404; 403 `not_the_author`; 409 `edit_window_closed`, `topic_locked` */
  async remove(author: Member, topicId: string, replyId: string): Promise<void> {
    await this.ownRecent(author, topicId, replyId, async (tx, now) => {
      await markReplyDeleted(tx, replyId, now);
      await recountReplies(tx, [topicId]);
      await resolveReports(tx, topicId, now, replyId);
      await unflagSettledTopic(tx, topicId);
    });
  }

  private ownRecent<T>(
    author: Member,
    topicId: string,
    replyId: string,
    change: (tx: Transaction, now: Date) => Promise<T>,
  ): Promise<T> {
    const now = this.clock.now();
    return this.database.transaction(async (tx) => {
      const topic = await requireTopic(tx, topicId, author);
      const reply = await requireReply(tx, topicId, replyId, author);
      requireOwnAndRecent({ authorId: reply.author?.id ?? null, createdAt: reply.created_at }, author, now);
      requireUnlocked(topic);
      return change(tx, now);
    });
  }
}
