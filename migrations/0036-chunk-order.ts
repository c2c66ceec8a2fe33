import { Migration } from '@mikro-orm/migrations';

/** Workers take the free chunk whose turn comes first, whatever run it belongs to. */
class ChunkOrder extends Migration {
  override up(): void {
    this.addSql('DROP INDEX run_chunks_due');
    this.addSql('ALTER TABLE run_chunks ADD COLUMN turn_at timestamptz NOT NULL DEFAULT clock_timestamp()');
    this.addSql('CREATE INDEX run_chunks_free ON run_chunks (turn_at) WHERE NOT done');
  }
}

export const chunkOrder = { name: '0036-chunk-order', class: ChunkOrder };
