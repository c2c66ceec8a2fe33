import { counted } from '../../platform/counted.js';
import type { Queryable } from '../../platform/database/database.js';
import { schemaDrift } from '../../platform/database/setup/prepare-database.js';
import { asTenant } from '../../platform/database/scope.js';
import { newId } from '../../platform/ids.js';
import { type Check, failed, firstFive, passed, passedIf } from './check.js';
import {
  findPlace,
  listMigrations,
  listTenantTables,
  readRole,
  showsRowAt,
  type TenantTable,
} from './structure.queries.js';

/** An organization that does not exist: any row visible to it belongs to another. */
const STRANGER = { organizationId: newId(), workspaceId: null };

/** Checks that policies exist and are correct, and that they work: a stranger queries for existing rows. */
export const rowLevelSecurity: Check = async ({ db }) => {
  const tables = await listTenantTables(db);
  const guarded = tables.filter((table) => table.guarded);
  const open = tables.filter((table) => !table.guarded).map(({ name }) => name);
  const { tried, shown } = await askAsStranger(db, guarded);
  const role = await readRole(db);
  return passedIf(
    open.length + shown.length === 0 && !role.unbound && role.owned === 0,
    [
      `${guarded.length} of ${counted(tables.length, 'table')} with rows of organizations have a policy that excludes other organizations`,
      ...(open.length === 0 ? [] : [`none on ${firstFive(open)}`]),
      `queried for a row of each of ${tried} as another organization, the database returned ${shown.length === 0 ? 'none' : `those of ${firstFive(shown)}`}`,
      `the service works as "${role.name}", which ${role.unbound ? 'bypasses policies' : 'is bound by policies'} and owns ${counted(role.owned, 'table')}`,
    ]
      .join('; ')
      .concat('.'),
  );
};

/** @returns how many of the tables have a row, and the names of those that expose it */
async function askAsStranger(
  db: Queryable,
  tables: readonly TenantTable[],
): Promise<{ tried: number; shown: string[] }> {
  let tried = 0;
  const shown: string[] = [];
  for (const table of tables) {
    const place = await findPlace(db, table);
    if (place === undefined) continue;
    tried += 1;
    if (await asTenant(STRANGER, () => showsRowAt(db, table, place))) shown.push(table.name);
  }
  return { tried, shown };
}

export const migrationsApplied: Check = async ({ db, schema, databaseUrl }) => {
  const applied = await listMigrations(db);
  const missing = schema.migrations.map(({ name }) => name).filter((name) => !applied.includes(name));
  if (missing.length > 0) return failed(`Not applied: ${firstFive(missing)}.`);
  const drift = await schemaDrift(schema, databaseUrl);
  if (drift !== '')
    return failed(`All migrations are applied, but the schema differs from what they declare: ${drift.slice(0, 300)}`);
  return passed(`${counted(applied.length, 'migration')} applied, and the schema matches what the release declares.`);
};
