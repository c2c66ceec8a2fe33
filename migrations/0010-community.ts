import { Migration } from '@mikro-orm/migrations';

/** Topics, posts and reports of the community forum. */
class Community extends Migration {
  override up(): void {
    this.addSql(`
      CREATE TABLE community_topics (
        id uuid NOT NULL,
        category text NOT NULL,
        title text NOT NULL,
        author_id uuid,
        pinned boolean NOT NULL DEFAULT false,
        locked boolean NOT NULL DEFAULT false,
        hidden boolean NOT NULL DEFAULT false,
        reply_count int NOT NULL DEFAULT 0,
        last_activity_at timestamptz(3) NOT NULL,
        created_at timestamptz(3) NOT NULL,
        deleted_at timestamptz(3),
        flagged_at timestamptz(3),
        CONSTRAINT community_topics_pkey PRIMARY KEY (id),
        CONSTRAINT community_topics_author_id_foreign FOREIGN KEY (author_id) REFERENCES users (id) ON DELETE SET NULL
      )`);
    this.addSql(`
      CREATE INDEX community_topics_listing ON community_topics (pinned, last_activity_at, id) WHERE NOT hidden AND deleted_at IS NULL`);
    this.addSql(`
      CREATE INDEX community_topics_category ON community_topics (category, pinned, last_activity_at, id)
        WHERE NOT hidden AND deleted_at IS NULL`);
    this.addSql(
      `CREATE INDEX community_topics_moderation ON community_topics (flagged_at, id) WHERE flagged_at IS NOT NULL`,
    );
    this.addSql(`
      CREATE TABLE community_posts (
        id uuid NOT NULL,
        topic_id uuid NOT NULL,
        opening boolean NOT NULL,
        author_id uuid,
        body text NOT NULL,
        search tsvector NOT NULL,
        hidden boolean NOT NULL DEFAULT false,
        created_at timestamptz(3) NOT NULL,
        edited_at timestamptz(3),
        deleted_at timestamptz(3),
        CONSTRAINT community_posts_pkey PRIMARY KEY (id),
        CONSTRAINT community_posts_topic_id_foreign FOREIGN KEY (topic_id) REFERENCES community_topics (id) ON DELETE CASCADE,
        CONSTRAINT community_posts_author_id_foreign FOREIGN KEY (author_id) REFERENCES users (id) ON DELETE SET NULL
      )`);
    this.addSql(`CREATE INDEX community_posts_thread ON community_posts (topic_id, id)`);
    this.addSql(`CREATE UNIQUE INDEX community_posts_opening ON community_posts (topic_id) WHERE opening`);
    this.addSql(`CREATE INDEX community_posts_author ON community_posts (author_id, created_at)`);
    this.addSql(`CREATE INDEX community_posts_search ON community_posts USING gin (search)`);
    this.addSql(`
      CREATE TABLE community_reports (
        id uuid NOT NULL,
        topic_id uuid NOT NULL,
        post_id uuid NOT NULL,
        reporter_id uuid NOT NULL,
        reason text NOT NULL,
        comment text,
        created_at timestamptz(3) NOT NULL,
        resolved_at timestamptz(3),
        CONSTRAINT community_reports_pkey PRIMARY KEY (id),
        CONSTRAINT community_reports_topic_id_foreign FOREIGN KEY (topic_id) REFERENCES community_topics (id) ON DELETE CASCADE,
        CONSTRAINT community_reports_post_id_foreign FOREIGN KEY (post_id) REFERENCES community_posts (id) ON DELETE CASCADE,
        CONSTRAINT community_reports_reporter_id_foreign FOREIGN KEY (reporter_id) REFERENCES users (id) ON DELETE CASCADE
      )`);
    this.addSql(`CREATE INDEX community_reports_open ON community_reports (topic_id, id) WHERE resolved_at IS NULL`);
    this.addSql(
      `CREATE UNIQUE INDEX community_reports_once ON community_reports (post_id, reporter_id) WHERE resolved_at IS NULL`,
    );
    this.addSql(`CREATE INDEX community_reports_reporter ON community_reports (reporter_id, created_at)`);
  }
}

export const community = { name: '0010-community', class: Community };
