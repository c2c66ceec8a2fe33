import { Migration } from '@mikro-orm/migrations';

/**
 * Who may not write in the forum could still change the name under past texts, and so go on to tell everybody something. Nullable: a
 * process of a former release names none.
 */
class NamesOfBlockedAuthors extends Migration {
  override up(): void {
    this.addSql(`ALTER TABLE community_blocks ADD COLUMN name text`);
    this.addSql(`UPDATE community_blocks b SET name = u.name FROM users u WHERE u.id = b.user_id`);
  }
}

export const namesOfBlockedAuthors = { name: '0139-names-of-blocked-authors', class: NamesOfBlockedAuthors };
