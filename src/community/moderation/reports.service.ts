import { Inject, Injectable } from '@nestjs/common';
import type { Settings } from '../../../config/settings.js';
import { Clock } from '../../platform/clock.js';
import { Database, type Transaction } from '../../platform/database/database.js';
import { Problem } from '../../platform/http/problem.js';
import { newId } from '../../platform/ids.js';
import { SETTINGS } from '../../platform/platform.module.js';
import type { ReportDto } from '../dto/inputs.dto.js';
import type { ReportBody } from '../dto/replies.dto.js';
import type { Member } from '../member.js';
import { requireReply, requireTopic } from '../posts/authorship.js';
import { enforcePostingLimit } from '../posts/posting-limits.js';
import { openingPostId } from '../posts/posts.queries.js';
import { flagTopics } from './moderation.queries.js';
import { insertReport } from './reports.queries.js';

@Injectable()
export class ReportsService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * Reports a topic, or one of its replies, to the operators.
   * @throws {Problem} 403 `posting_blocked`; 404; 409 `already_reported`; 429 `posting_too_fast`
   */
  async file(reporter: Member, topicId: string, replyId: string | null, input: ReportDto): Promise<ReportBody> {
    const id = newId();
    const now = this.clock.now();
    const comment = input.comment ?? null;
    const reported = await this.database.transaction(async (tx) => {
      await enforcePostingLimit(
        tx,
        reporter,
        { written: 'report', limit: this.settings.COMMUNITY_REPORTS_PER_HOUR },
        now,
      );
      const topic = await requireTopic(tx, topicId, reporter);
      const postId = await this.reportedPost(tx, reporter, topic.id, replyId);
      const report = {
        id,
        topicId: topic.id,
        postId,
        reporterId: reporter.id,
        reason: input.reason,
        comment,
        createdAt: now,
      };
      if (!(await insertReport(tx, report))) {
        throw new Problem(409, 'already_reported', 'You have already reported this, and the report is still open.');
      }
      await flagTopics(tx, [topic.id], now);
      return { topic_id: topic.id, reply_id: replyId === null ? null : postId };
    });
    return { id, ...reported, reason: input.reason, comment, created_at: now };
  }

  private async reportedPost(
    tx: Transaction,
    reporter: Member,
    topicId: string,
    replyId: string | null,
  ): Promise<string> {
    if (replyId !== null) return (await requireReply(tx, topicId, replyId, reporter)).id;
    const opening = await openingPostId(tx, topicId);
    if (opening === undefined) throw Problem.notFound('topic');
    return opening;
  }
}
