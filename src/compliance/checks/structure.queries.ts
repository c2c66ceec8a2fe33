import { only, type Queryable } from '../../platform/database/database.js';
import { MIGRATIONS_TABLE } from '../../platform/database/orm-options.js';

/** Tables with rows of organizations, and those of them that no policy guards. */
export async function listTenantTables(db: Queryable): Promise<{ name: string; guarded: boolean }[]> {
  return db.query<{ name: string; guarded: boolean }>(
    `SELECT c.relname AS name, c.relrowsecurity AND EXISTS (SELECT FROM pg_policy WHERE polrelid = c.oid) AS guarded
     FROM pg_class c
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')
       AND (c.relname = 'organizations' OR EXISTS (
         SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'organization_id' AND NOT a.attisdropped))
     ORDER BY c.relname`,
  );
}

/** The role that asks: whether it bypasses policies, and how many tables of the service it owns. */
export async function readRole(db: Queryable): Promise<{ name: string; unbound: boolean; owned: number }> {
  return only(
    await db.query<{ name: string; unbound: boolean; owned: number }>(
      `SELECT rolname AS name, rolsuper OR rolbypassrls AS unbound,
              (SELECT count(*)::int FROM pg_class
               WHERE relowner = r.oid AND relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')) AS owned
       FROM pg_roles r WHERE rolname = current_user`,
    ),
  );
}

export async function listMigrations(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ name: string }>(`SELECT name FROM ${MIGRATIONS_TABLE} ORDER BY name`);
  return rows.map((row) => row.name);
}
