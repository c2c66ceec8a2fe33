import { Migration } from '@mikro-orm/migrations';

/** Codes that open an account once when its authenticator is lost. */
class RecoveryCodes extends Migration {
  override up(): void {
    this.addSql(`
      CREATE TABLE recovery_codes (
        user_id uuid NOT NULL,
        hash bytea NOT NULL,
        CONSTRAINT recovery_codes_pkey PRIMARY KEY (user_id, hash),
        CONSTRAINT recovery_codes_user_id_foreign FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
      )`);
  }
}

export const recoveryCodes = { name: '0033-recovery-codes', class: RecoveryCodes };
