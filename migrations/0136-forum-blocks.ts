import { Migration } from '@mikro-orm/migrations';

/** Operators could keep somebody from writing in the forum only by deleting the account, with which its owner also reads forecasts. */
class ForumBlocks extends Migration {
  override up(): void {
    this.addSql(`
      CREATE TABLE community_blocks (
        user_id uuid NOT NULL,
        reason text NOT NULL,
        created_at timestamptz(3) NOT NULL,
        CONSTRAINT community_blocks_pkey PRIMARY KEY (user_id),
        CONSTRAINT community_blocks_user_id_foreign FOREIGN KEY (user_id) REFERENCES users (id) ON UPDATE CASCADE ON DELETE CASCADE
      )`);
    this.addSql(`CREATE INDEX community_blocks_listing ON community_blocks (created_at, user_id)`);
  }
}

export const forumBlocks = { name: '0136-forum-blocks', class: ForumBlocks };
