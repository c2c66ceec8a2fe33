import { exists, one, oneOrNone, type Queryable } from '../../platform/database/database.js';
import { MIGRATIONS_TABLE } from '../../platform/database/setup/orm-options.js';

/** A table or view that contains rows of organizations. */
export interface TenantTable {
  /** Quoted where SQL requires it. */
  readonly name: string;
  /**
   * Whether exactly one policy applies, which compares the rows' organization with that of the scope, for reads and writes and for every
   * role.
   */
  readonly guarded: boolean;
}

/** All of them. Policies are permissive, so a second one reopens what the first one closes; a view shows what its owner may see. */
export function listTenantTables(db: Queryable): Promise<TenantTable[]> {
  return db.query<TenantTable>(
    `SELECT c.oid::regclass::text AS name,
            c.relrowsecurity AND (
              SELECT count(*) = 1 AND bool_and(polpermissive AND polcmd = '*' AND polroles = '{0}' AND polwithcheck IS NULL
                                               AND pg_get_expr(polqual, polrelid) LIKE '%app.organization_id%')
              FROM pg_policy WHERE polrelid = c.oid) AS guarded
     FROM pg_class c
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
       AND (c.relname = 'organizations' OR EXISTS (
         SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'organization_id' AND NOT a.attisdropped))
     ORDER BY c.relname`,
  );
}

/**
 * The physical location of some row of the table; undefined if the scope shows none. By its location a row is found immediately in any
 * table.
 */
export async function findPlace(db: Queryable, { name }: TenantTable): Promise<string | undefined> {
  const row = await oneOrNone<{ ctid: string }>(db, `SELECT ctid::text FROM ${name} LIMIT 1`);
  return row?.ctid;
}

export function showsRowAt(db: Queryable, { name }: TenantTable, ctid: string): Promise<boolean> {
  return exists(db, `SELECT FROM ${name} WHERE ctid = $1::tid`, [ctid]);
}

/** The current role: whether it, or one that it may assume, bypasses policies, and how many tables of the service they own. */
export function readRole(db: Queryable): Promise<{ name: string; unbound: boolean; owned: number }> {
  return one(
    db,
    `SELECT current_user AS name,
              EXISTS (SELECT FROM pg_roles WHERE (rolsuper OR rolbypassrls) AND pg_has_role(oid, 'MEMBER')) AS unbound,
              (SELECT count(*)::int FROM pg_class
               WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND pg_has_role(relowner, 'MEMBER')) AS owned`,
  );
}

export async function listMigrations(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ name: string }>(`SELECT name FROM ${MIGRATIONS_TABLE} ORDER BY name`);
  return rows.map((row) => row.name);
}
