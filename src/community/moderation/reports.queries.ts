import type { Queryable, Transaction } from '../../platform/database/database.js';
import type { ReportReason } from '../dto/inputs.dto.js';
import type { OpenReportBody } from '../dto/replies.dto.js';
import { MAX_EXCERPT, MAX_LISTED } from '../limits.js';
import { userBody } from '../posts/posts.queries.js';

export interface NewReport {
  readonly id: string;
  readonly topicId: string;
  readonly postId: string;
  readonly reporterId: string;
  readonly reason: ReportReason;
  readonly comment: string | null;
  readonly createdAt: Date;
}

/** @returns false if this reader already has an open report on this post */
export async function insertReport(tx: Transaction, report: NewReport): Promise<boolean> {
  const inserted = await tx.execute(
    `INSERT INTO community_reports (id, topic_id, post_id, reporter_id, reason, comment, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (post_id, reporter_id) WHERE resolved_at IS NULL DO NOTHING`,
    [report.id, report.topicId, report.postId, report.reporterId, report.reason, report.comment, report.createdAt],
  );
  return inserted === 1;
}

/** The newest {@link MAX_LISTED} open reports on each of these topics, newest first. */
export function openReports(db: Queryable, topicIds: readonly string[]): Promise<OpenReportBody[]> {
  return db.query<OpenReportBody>(
    `SELECT r.id, r.topic_id, CASE WHEN p.opening THEN NULL ELSE p.id END AS reply_id, r.reason, r.comment,
            CASE WHEN NOT p.opening THEN json_build_object(
              'author', ${userBody('a')},
              'excerpt', left(p.body, $2)
            ) END AS reply,
            ${userBody('u')} AS reporter, r.created_at
       FROM unnest($1::uuid[]) AS topic (id)
       CROSS JOIN LATERAL (
         SELECT * FROM community_reports WHERE topic_id = topic.id AND resolved_at IS NULL ORDER BY id DESC LIMIT $3) r
       JOIN community_posts p ON p.id = r.post_id JOIN users u ON u.id = r.reporter_id
       LEFT JOIN users a ON a.id = p.author_id
      ORDER BY r.id DESC`,
    [topicIds, MAX_EXCERPT, MAX_LISTED],
  );
}

/** Closes the open reports on a topic, or on one of its replies. @returns how many */
export function resolveReports(
  tx: Transaction,
  topicId: string,
  at: Date,
  replyId: string | null = null,
): Promise<number> {
  return tx.execute(
    `UPDATE community_reports SET resolved_at = $2
      WHERE topic_id = $1 AND resolved_at IS NULL AND ($3::uuid IS NULL OR post_id = $3)`,
    [topicId, at, replyId],
  );
}
