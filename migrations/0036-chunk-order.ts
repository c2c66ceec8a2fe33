import { Migration } from '@mikro-orm/migrations';

/** Workers take the free chunk of the lowest position, whatever run it belongs to. */
class ChunkOrder extends Migration {
  override up(): void {
    this.addSql('DROP INDEX run_chunks_due');
    this.addSql('CREATE INDEX run_chunks_free ON run_chunks (position, wake_at) WHERE NOT done');
  }
}

export const chunkOrder = { name: '0036-chunk-order', class: ChunkOrder };
