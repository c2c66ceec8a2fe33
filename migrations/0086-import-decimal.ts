import { Migration } from '@mikro-orm/migrations';

/** The decimal mark that the sender of a CSV file named, for its processing after the reply. */
class ImportDecimal extends Migration {
  override up(): void {
    this.addSql(`ALTER TABLE imports ADD COLUMN decimal text`);
  }
}

export const importDecimal = { name: '0086-import-decimal', class: ImportDecimal };
