import { Migration } from '@mikro-orm/migrations';

/**
 * Three migrations were rewritten between releases (alerts, chunk order, import progress). Where their first form was
 * applied, this makes what the later one makes; elsewhere it builds one small index anew.
 */
class RewrittenMigrations extends Migration {
  override up(): void {
    for (const table of ['series_trends', 'import_progress']) {
      for (const parent of ['organization', 'workspace']) {
        this.addSql(`ALTER TABLE ${table} DROP CONSTRAINT IF EXISTS ${table}_${parent}_id_foreign`);
      }
    }
    this.addSql(`
      ALTER TABLE run_chunks ADD COLUMN IF NOT EXISTS turn_at timestamptz NOT NULL DEFAULT clock_timestamp()`);
    this.addSql('DROP INDEX run_chunks_free');
    this.addSql('CREATE INDEX run_chunks_free ON run_chunks (turn_at) WHERE NOT done');
  }
}

export const rewrittenMigrations = { name: '0106-rewritten-migrations', class: RewrittenMigrations };
