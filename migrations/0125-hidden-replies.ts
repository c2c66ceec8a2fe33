import { Migration } from '@mikro-orm/migrations';

/**
 * A reply that was hidden by mistake was found only by who knew its topic. Topics with hidden replies are in the moderation queue:
 * those from before by the time of the reply, since that of its hiding was not kept.
 */
class HiddenReplies extends Migration {
  override up(): void {
    this.addSql(`CREATE INDEX community_posts_hidden ON community_posts (topic_id, id) WHERE hidden`);
    this.addSql(`
      UPDATE community_topics t SET flagged_at = p.latest
      FROM (SELECT topic_id, max(created_at) AS latest FROM community_posts WHERE hidden GROUP BY topic_id) p
      WHERE p.topic_id = t.id AND t.flagged_at IS NULL AND t.deleted_at IS NULL`);
  }
}

export const hiddenReplies = { name: '0125-hidden-replies', class: HiddenReplies };
