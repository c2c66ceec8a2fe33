import { Migration } from '@mikro-orm/migrations';

/** Days without any upload looked like a fall in demand: the plan of a run looks for them, and its metrics and alerts name them. */
class RunMissingDays extends Migration {
  override up(): void {
    this.addSql(`ALTER TABLE runs ADD COLUMN missing_days jsonb`);
  }
}

export const runMissingDays = { name: '0148-run-missing-days', class: RunMissingDays };
