import { Migration } from '@mikro-orm/migrations';

/** Planners mark the items whose shifts they want to hear of earlier. */
class SeriesImportance extends Migration {
  override up(): void {
    this.addSql(`ALTER TABLE series ADD COLUMN important boolean NOT NULL DEFAULT false`);
  }
}

export const seriesImportance = { name: '0032-series-importance', class: SeriesImportance };
