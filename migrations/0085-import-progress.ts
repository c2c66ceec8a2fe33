import { Migration } from '@mikro-orm/migrations';
import { organizationPolicy } from './tenant-policies.js';

/** How far an import has been read; a row of its own, since that of the import is locked while its demand is stored. */
class ImportProgress extends Migration {
  override up(): void {
    this.addSql(`
      CREATE TABLE import_progress (
        import_id uuid NOT NULL,
        organization_id uuid NOT NULL,
        rows_read int NOT NULL,
        CONSTRAINT import_progress_pkey PRIMARY KEY (import_id),
        CONSTRAINT import_progress_import_id_foreign FOREIGN KEY (import_id) REFERENCES imports (id) ON UPDATE CASCADE ON DELETE CASCADE
      )`);
    for (const sql of organizationPolicy('import_progress')) this.addSql(sql);
  }
}

export const importProgress = { name: '0085-import-progress', class: ImportProgress };
