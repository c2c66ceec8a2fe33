import { Migration } from '@mikro-orm/migrations';
import { organizationPolicy } from './tenant-policies.js';

/** The time of the last publication in an organization, which the next one is later than whatever the clock says. */
class Publications extends Migration {
  override up(): void {
    this.addSql(`
      CREATE TABLE publications (
        organization_id uuid NOT NULL,
        published_at timestamptz(3) NOT NULL,
        CONSTRAINT publications_pkey PRIMARY KEY (organization_id),
        CONSTRAINT publications_organization_id_foreign FOREIGN KEY (organization_id) REFERENCES organizations (id) ON UPDATE CASCADE ON DELETE CASCADE
      )`);
    for (const sql of organizationPolicy('publications')) this.addSql(sql);
  }
}

export const publications = { name: '0108-publications', class: Publications };
