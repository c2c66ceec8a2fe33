import { Migration } from '@mikro-orm/migrations';

/** A last month without its last days looked like a fall in demand: the plan of a run decides whether one is left out, and its metrics tell it. */
class RunIncompleteMonth extends Migration {
  override up(): void {
    this.addSql(`ALTER TABLE runs ADD COLUMN incomplete_month int`);
  }
}

export const runIncompleteMonth = { name: '0138-run-incomplete-month', class: RunIncompleteMonth };
