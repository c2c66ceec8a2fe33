import { Migration } from '@mikro-orm/migrations';

/** An upload that had lost its connection waited for all others, also for those that came after it. */
class ImportsBegun extends Migration {
  override up(): void {
    this.addSql('ALTER TABLE imports ADD COLUMN begun_at timestamptz(3)');
  }
}

export const importsBegun = { name: '0122-imports-begun', class: ImportsBegun };
