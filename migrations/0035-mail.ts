import { Migration } from '@mikro-orm/migrations';

/** Outbox of e-mails, and the links by which a forgotten password is replaced. */
class Mail extends Migration {
  override up(): void {
    this.addSql(`
      CREATE TABLE mail_messages (
        id uuid NOT NULL,
        kind text NOT NULL,
        status text NOT NULL DEFAULT 'pending',
        sealed bytea,
        attempts int NOT NULL DEFAULT 0,
        next_attempt_at timestamptz(3) NOT NULL,
        expires_at timestamptz(3) NOT NULL,
        last_error text,
        created_at timestamptz(3) NOT NULL,
        ended_at timestamptz(3),
        CONSTRAINT mail_messages_pkey PRIMARY KEY (id)
      )`);
    this.addSql(`CREATE INDEX mail_messages_due ON mail_messages (next_attempt_at) WHERE status = 'pending'`);
    this.addSql(`
      CREATE TABLE password_resets (
        id uuid NOT NULL,
        user_id uuid NOT NULL,
        token_hash bytea NOT NULL,
        created_at timestamptz(3) NOT NULL,
        expires_at timestamptz(3) NOT NULL,
        CONSTRAINT password_resets_pkey PRIMARY KEY (id),
        CONSTRAINT password_resets_token UNIQUE (token_hash),
        CONSTRAINT password_resets_user_id_foreign FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
      )`);
    this.addSql(`CREATE INDEX password_resets_user ON password_resets (user_id)`);
  }
}

export const mail = { name: '0035-mail', class: Mail };
