import { Migration } from '@mikro-orm/migrations';

/** Links by which the new address of an account is confirmed: one of a user at a time. */
class EmailChanges extends Migration {
  override up(): void {
    this.addSql(`
      CREATE TABLE email_changes (
        user_id uuid NOT NULL,
        email text NOT NULL,
        token_hash bytea NOT NULL,
        created_at timestamptz(3) NOT NULL,
        expires_at timestamptz(3) NOT NULL,
        CONSTRAINT email_changes_pkey PRIMARY KEY (user_id),
        CONSTRAINT email_changes_token UNIQUE (token_hash),
        CONSTRAINT email_changes_user_id_foreign FOREIGN KEY (user_id) REFERENCES users (id) ON UPDATE CASCADE ON DELETE CASCADE
      )`);
  }
}

export const emailChanges = { name: '0126-email-changes', class: EmailChanges };
