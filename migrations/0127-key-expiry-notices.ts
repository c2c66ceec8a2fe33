import { Migration } from '@mikro-orm/migrations';

/** When admins were told that a key is about to expire: once a key, however many processes look for such keys. */
class KeyExpiryNotices extends Migration {
  override up(): void {
    this.addSql(`ALTER TABLE api_keys ADD COLUMN expiry_told_at timestamptz(3) NULL`);
  }
}

export const keyExpiryNotices = { name: '0127-key-expiry-notices', class: KeyExpiryNotices };
