import { Migration } from '@mikro-orm/migrations';

/** A scheduled run over demand that has not changed since the last one would compute the same forecasts, and be charged for. */
class DemandVersion extends Migration {
  override up(): void {
    this.addSql(`ALTER TABLE workspaces ADD COLUMN demand_version int NOT NULL DEFAULT 0`);
    this.addSql(`ALTER TABLE runs ADD COLUMN demand_version int`);
  }
}

export const demandVersion = { name: '0149-demand-version', class: DemandVersion };
