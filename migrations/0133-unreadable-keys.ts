import { Migration } from '@mikro-orm/migrations';

/** Keys under an API_KEY_PEPPER that was replaced admit nobody, but looked like others and took their places in the plan. */
class UnreadableKeys extends Migration {
  override up(): void {
    this.addSql(`ALTER TABLE api_keys ADD COLUMN former_pepper bytea NULL`);
  }
}

export const unreadableKeys = { name: '0133-unreadable-keys', class: UnreadableKeys };
