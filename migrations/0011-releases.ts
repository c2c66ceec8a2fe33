import { Migration } from '@mikro-orm/migrations';

const userKey = (table: string): string =>
  `CONSTRAINT ${table}_user_id_foreign FOREIGN KEY (user_id) REFERENCES users (id) ON UPDATE CASCADE ON DELETE CASCADE`;

/** Releases of the product, and who has read of them. */
class Releases extends Migration {
  override up(): void {
    this.addSql(`
      CREATE TABLE releases (
        id uuid NOT NULL,
        version text NOT NULL,
        released_on date NOT NULL,
        title text NOT NULL,
        notes text NOT NULL,
        kind text NOT NULL,
        entries jsonb NOT NULL DEFAULT '[]',
        created_at timestamptz(3) NOT NULL,
        updated_at timestamptz(3) NOT NULL,
        CONSTRAINT releases_pkey PRIMARY KEY (id),
        CONSTRAINT releases_version UNIQUE (version)
      )`);
    this.addSql(`CREATE INDEX releases_listing ON releases (released_on, id)`);
    this.addSql(`
      CREATE TABLE notification_watermarks (
        user_id uuid NOT NULL,
        read_up_to uuid NOT NULL,
        CONSTRAINT notification_watermarks_pkey PRIMARY KEY (user_id),
        ${userKey('notification_watermarks')}
      )`);
    this.addSql(`
      CREATE TABLE notification_reads (
        user_id uuid NOT NULL,
        release_id uuid NOT NULL,
        CONSTRAINT notification_reads_pkey PRIMARY KEY (user_id, release_id),
        ${userKey('notification_reads')},
        CONSTRAINT notification_reads_release_id_foreign FOREIGN KEY (release_id) REFERENCES releases (id) ON UPDATE CASCADE ON DELETE CASCADE
      )`);
  }
}

export const releases = { name: '0011-releases', class: Releases };
