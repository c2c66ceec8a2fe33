import { Migration } from '@mikro-orm/migrations';

/** Retention asks each organization for its syncs that ended long ago, and read those of all of them each time. */
class EndedSyncs extends Migration {
  override up(): void {
    this.addSql(`CREATE INDEX connector_syncs_ended ON connector_syncs (organization_id, finished_at)`);
  }
}

export const endedSyncs = { name: '0095-ended-syncs', class: EndedSyncs };
