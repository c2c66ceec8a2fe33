import { Migration } from '@mikro-orm/migrations';

/**
 * A key outlives the account of its maker, and goes on telling who that was: without it, nobody saw that a leaver may know the key.
 * Of keys made so far the audit log tells it.
 */
class KeyMakers extends Migration {
  override up(): void {
    this.addSql(`
      ALTER TABLE api_keys
        DROP CONSTRAINT api_keys_created_by_foreign,
        ADD COLUMN created_by_email text NULL`);
    this.addSql(`
      UPDATE api_keys k SET created_by = e.actor_id, created_by_email = e.actor_name FROM audit_events e
      WHERE e.organization_id = k.organization_id AND e.actor_kind = 'user'
        AND (e.action = 'api_key.created' AND e.target_id = k.id::text
          OR e.action = 'api_key.rotated' AND e.details ->> 'successor_id' = k.id::text)`);
  }
}

export const keyMakers = { name: '0130-key-makers', class: KeyMakers };
