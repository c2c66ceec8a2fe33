import { Injectable } from '@nestjs/common';
import { recordAuditByOperator, type UserCaller } from '../../access/index.js';
import { Clock } from '../../platform/clock.js';
import { Database, type Queryable } from '../../platform/database/database.js';
import { listPage, type Page } from '../../platform/http/pagination.js';
import { Problem } from '../../platform/http/problem.js';
import type { ListQueueDto, ModerateReplyDto, ModerateTopicDto } from '../dto/inputs.dto.js';
import type { ModeratedTopicBody, ReplyBody } from '../dto/replies.dto.js';
import { memberOf } from '../member.js';
import { requireReply, requireTopic } from '../posts/authorship.js';
import { withHtml } from '../posts/post-html.js';
import { hiddenReplies, setReplyHidden } from '../posts/posts.queries.js';
import { findTopics, recountReplies, updateTopicFlags } from '../posts/topics.queries.js';
import { flagTopics, listQueue, QUEUE_ORDER, unflagSettledTopic } from './moderation.queries.js';
import { openReports, resolveReports } from './reports.queries.js';

/** Moderation of topics and replies. Every action locks the topic's row, and every change is recorded in the audit log. */
@Injectable()
export class ModerationService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** Topics in which something is hidden or reported, latest flagged first. */
  async queue(operator: UserCaller, query: ListQueueDto): Promise<Page<ModeratedTopicBody>> {
    const page = await listPage(query, QUEUE_ORDER, (slice) =>
      listQueue(this.database, { state: query.state, ...slice }),
    );
    const topics = await this.moderated(
      this.database,
      page.items.map((entry) => entry.topicId),
    );
    const items = query.format === 'html' ? await withHtml(topics, memberOf(operator)) : topics;
    return { ...page, items };
  }

  /**
   * Sets only the given flags, so that concurrent operators do not undo each other's changes.
   * @throws {Problem} 404
   */
  moderateTopic(operator: UserCaller, topicId: string, input: ModerateTopicDto): Promise<ModeratedTopicBody> {
    const now = this.clock.now();
    return this.database.transaction(async (tx) => {
      const before = await requireTopic(tx, topicId, memberOf(operator));
      const { id } = before;
      await updateTopicFlags(tx, id, input);
      if (input.hidden === true && !before.hidden) await flagTopics(tx, [id], now);
      const resolved = input.resolve_reports === true ? await resolveReports(tx, id, now) : 0;
      await unflagSettledTopic(tx, id);
      const [topic] = await this.moderated(tx, [id]);
      if (!topic) throw Problem.notFound('topic');
      const changes = changesOf(['pinned', 'locked', 'hidden'], before, input);
      if (isModeration(changes, resolved)) {
        await recordAuditByOperator(tx, operator, {
          action: 'community_topic.moderated',
          target: { kind: 'community_topic', id },
          details: { ...changes, reports_resolved: resolved, reason: input.reason },
          now,
        });
      }
      return topic;
    });
  }

  /** @throws {Problem} 404 */
  moderateReply(operator: UserCaller, topicId: string, replyId: string, input: ModerateReplyDto): Promise<ReplyBody> {
    const now = this.clock.now();
    return this.database.transaction(async (tx) => {
      await requireTopic(tx, topicId, memberOf(operator));
      const before = await requireReply(tx, topicId, replyId, memberOf(operator));
      if (input.hidden !== undefined) {
        await setReplyHidden(tx, replyId, input.hidden);
        await recountReplies(tx, [topicId]);
      }
      if (input.hidden === true && !before.hidden) await flagTopics(tx, [topicId], now);
      const resolved = input.resolve_reports === true ? await resolveReports(tx, topicId, now, replyId) : 0;
      await unflagSettledTopic(tx, topicId);
      const reply = await requireReply(tx, topicId, replyId, memberOf(operator));
      const changes = changesOf(['hidden'], before, input);
      if (isModeration(changes, resolved)) {
        await recordAuditByOperator(tx, operator, {
          action: 'community_reply.moderated',
          target: { kind: 'community_reply', id: before.id },
          details: { topic_id: before.topic_id, ...changes, reports_resolved: resolved, reason: input.reason },
          now,
        });
      }
      return reply;
    });
  }

  /** The topics in the order of the ids, with the newest of their hidden replies and open reports. */
  private async moderated(db: Queryable, topicIds: readonly string[]): Promise<ModeratedTopicBody[]> {
    const topics = new Map((await findTopics(db, topicIds)).map((topic) => [topic.id, topic]));
    const hidden = Map.groupBy(await hiddenReplies(db, topicIds), (reply) => reply.topic_id);
    const reports = Map.groupBy(await openReports(db, topicIds), (report) => report.topic_id);
    return topicIds.flatMap((id) => {
      const topic = topics.get(id);
      if (!topic) return [];
      const hiddenIds = (hidden.get(id) ?? []).map((reply) => reply.id);
      return [{ ...topic, hidden_reply_ids: hiddenIds, reports: reports.get(id) ?? [] }];
    });
  }
}

/** Whether a request has changed anything; if not, there is nothing to record. */
const isModeration = (changes: object, reportsResolved: number): boolean =>
  reportsResolved > 0 || Object.keys(changes).length > 0;

/** The flags that were changed, each with its old and new value, as recorded in the audit log. */
function changesOf<Flag extends string>(
  flags: readonly Flag[],
  before: Readonly<Record<Flag, boolean>>,
  change: Readonly<Partial<Record<Flag, boolean>>>,
): Record<string, { from: boolean; to: boolean }> {
  return Object.fromEntries(
    flags.flatMap((flag) => {
      const [from, to] = [before[flag], change[flag]];
      return to === undefined || to === from ? [] : [[flag, { from, to }]];
    }),
  );
}
