import { Migration } from '@mikro-orm/migrations';

/**
 * A member can have everything read again. Orders are marked with the reading in which they were last seen, which tells those that the
 * platform does not show any more.
 */
class FullSyncs extends Migration {
  override up(): void {
    this.addSql(`ALTER TABLE connectors ADD COLUMN reading integer NOT NULL DEFAULT 0`);
    this.addSql(`ALTER TABLE connector_orders ADD COLUMN reading integer NOT NULL DEFAULT 0`);
    this.addSql(`ALTER TABLE connector_syncs ADD COLUMN is_full boolean NOT NULL DEFAULT false`);
  }
}

export const fullSyncs = { name: '0128-full-syncs', class: FullSyncs };
