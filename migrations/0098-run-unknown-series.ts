import { Migration } from '@mikro-orm/migrations';

/** Decided with the plan of a run: looked up at its end, a series that had come meanwhile was neither forecast nor told of. */
class RunUnknownSeries extends Migration {
  override up(): void {
    this.addSql(`ALTER TABLE runs ADD COLUMN unknown_series text[]`);
  }
}

export const runUnknownSeries = { name: '0098-run-unknown-series', class: RunUnknownSeries };
