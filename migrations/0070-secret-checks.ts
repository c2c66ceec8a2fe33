import { Migration } from '@mikro-orm/migrations';

/** By which a start tells that it was given other secrets than the database was filled under. */
class SecretChecks extends Migration {
  override up(): void {
    this.addSql(`
      CREATE TABLE secret_checks (
        name text NOT NULL,
        digest bytea NOT NULL,
        CONSTRAINT secret_checks_pkey PRIMARY KEY (name)
      )`);
  }
}

export const secretChecks = { name: '0070-secret-checks', class: SecretChecks };
