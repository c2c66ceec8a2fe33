import { Migration } from '@mikro-orm/migrations';

/** Decided with the plan of a run: looking it up for each chunk read the demand of the whole workspace each time. */
class RunLastMonth extends Migration {
  override up(): void {
    this.addSql(`ALTER TABLE runs ADD COLUMN last_month int`);
  }
}

export const runLastMonth = { name: '0091-run-last-month', class: RunLastMonth };
