import { counted } from '../../platform/counted.js';
import { schemaDrift } from '../../platform/database/prepare-database.js';
import { type Check, failed, few, passed, passedIf } from './check.js';
import { listMigrations, listTenantTables, readRole } from './structure.queries.js';

export const rowLevelSecurity: Check = async ({ db }) => {
  const tables = await listTenantTables(db);
  const open = tables.filter((table) => !table.guarded).map((table) => table.name);
  const role = await readRole(db);
  return passedIf(
    open.length === 0 && !role.unbound && role.owned === 0,
    [
      `${tables.length - open.length} of ${counted(tables.length, 'table')} with rows of organizations have a policy`,
      ...(open.length === 0 ? [] : [`none on ${few(open)}`]),
      `the service works as "${role.name}", which ${role.unbound ? 'bypasses policies' : 'is bound by policies'} and owns ${counted(role.owned, 'table')}`,
    ]
      .join('; ')
      .concat('.'),
  );
};

export const migrationsApplied: Check = async ({ db, schema, databaseUrl }) => {
  const applied = await listMigrations(db);
  const missing = schema.migrations.map(({ name }) => name).filter((name) => !applied.includes(name));
  if (missing.length > 0) return failed(`Not applied: ${few(missing)}.`);
  const drift = await schemaDrift(schema, databaseUrl);
  if (drift !== '') return failed(`All migrations are applied, but the schema is not theirs: ${drift.slice(0, 300)}`);
  return passed(`${counted(applied.length, 'migration')} applied, and the schema is what the release declares.`);
};
