import { Migration } from '@mikro-orm/migrations';

/** Each process counted for itself how often an upload lost its connection, and anew after a start. */
class ImportsBrokenOff extends Migration {
  override up(): void {
    this.addSql('ALTER TABLE imports ADD COLUMN broken_off int NOT NULL DEFAULT 0');
  }
}

export const importsBrokenOff = { name: '0121-imports-broken-off', class: ImportsBrokenOff };
