import { Migration } from '@mikro-orm/migrations';

/**
 * Tells months that were given as one figure from those given by days: both stand in the same arrays, and a figure beside
 * days of the same month would count twice. Where all values of a series stand on first days they were months.
 */
class MonthFigures extends Migration {
  override up(): void {
    this.addSql(`ALTER TABLE demand ADD COLUMN month_figures smallint NOT NULL DEFAULT 0`);
    this.addSql(`
      UPDATE demand SET month_figures = observed_months
       WHERE series_id NOT IN (
         SELECT series_id FROM demand CROSS JOIN LATERAL unnest(days) AS entry (day) WHERE extract(day FROM day) <> 1
       )`);
  }
}

export const monthFigures = { name: '0074-month-figures', class: MonthFigures };
