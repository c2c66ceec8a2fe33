import { Migration } from '@mikro-orm/migrations';

/** The kept demand of an account counted no more from the moment it was connected again, before any of its orders had been read. */
class RetiredDemandCounts extends Migration {
  override up(): void {
    this.addSql(`ALTER TABLE connectors ADD COLUMN counts_retired boolean NOT NULL DEFAULT false`);
  }
}

export const retiredDemandCounts = { name: '0124-retired-demand-counts', class: RetiredDemandCounts };
