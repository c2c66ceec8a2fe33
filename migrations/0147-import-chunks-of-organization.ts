import { Migration } from '@mikro-orm/migrations';

/** What waits of an organization's uploads is counted with every piece of one, and was counted among those of all. */
class ImportChunksOfOrganization extends Migration {
  override up(): void {
    this.addSql('CREATE INDEX import_chunks_organization ON import_chunks (organization_id)');
  }
}

export const importChunksOfOrganization = {
  name: '0147-import-chunks-of-organization',
  class: ImportChunksOfOrganization,
};
