import { hash } from 'node:crypto';
import pg from 'pg';
import { messageOf } from '../../faults.js';
import { isWrongPassword } from '../database-faults.js';
import { only } from '../database.js';
import { keepsSessions } from '../connections/kept-sessions.js';
import { DatabaseUnusableError, MIGRATION_LOCK, sharedSessions } from './prepare-database.js';
import { MIGRATIONS_TABLE, type SchemaSource } from './orm-options.js';
import { withClient } from '../connections/with-client.js';

/** How the service should connect to the database that the owner of its tables has prepared. */
export interface ServiceLogin {
  /** A login created by the operator; without one the service creates its own, if the owner may create roles. */
  readonly givenUrl: string | undefined;
  /** Password of the login that the service creates; the same in every process of an installation. */
  readonly password: string;
}

export interface ServiceAccess {
  readonly url: string;
  /** For the operator, if the service could not get a role of its own. */
  readonly warning?: string;
}

interface RoleRow {
  name: string;
  database: string;
  unbound: boolean;
  mayMakeRoles: boolean;
}

/**
 * Chooses the role that the service works as and grants it exactly the privileges it needs: the operator's login, else one created
 * here, else the owner with the policies forced on it. Call it at every start, after the migrations: new tables need grants.
 * @throws {DatabaseUnusableError} if row-level security would bind none of these roles
 */
export async function openServiceRole(
  schema: SchemaSource,
  ownerUrl: string,
  login: ServiceLogin,
): Promise<ServiceAccess> {
  return withClient(ownerUrl, async (owner) => {
    await owner.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]); // released when the connection ends
    const self = await roleOf(owner);
    const { role, ...access } = await chooseRole(owner, self, ownerUrl, login);
    const kept = await withClient(access.url, (client) => keepsSessions(client, access.url));
    if (!kept) throw sharedSessions(login.givenUrl === undefined ? 'DATABASE_URL' : 'DATABASE_SERVICE_URL');
    await grant(owner, schema, role);
    await forceOnOwner(owner, role === self.name);
    return access;
  });
}

async function chooseRole(
  owner: pg.Client,
  self: RoleRow,
  ownerUrl: string,
  login: ServiceLogin,
): Promise<ServiceAccess & { role: string }> {
  if (login.givenUrl !== undefined) return checkGiven(owner, self, login.givenUrl);
  if (self.mayMakeRoles) return makeLogin(owner, self, ownerUrl, login.password);
  if (self.unbound) {
    throw new DatabaseUnusableError(
      `the role "${self.name}" of DATABASE_URL bypasses row-level security and is not allowed to create a role that does not; create a login without privileges and set DATABASE_SERVICE_URL to it`,
    );
  }
  return {
    url: ownerUrl,
    role: self.name,
    warning: `the service works as "${self.name}", the owner of its tables, because that role is not allowed to create another; row-level security is forced on it, but only a separate login in DATABASE_SERVICE_URL enforces it reliably`,
  };
}

async function checkGiven(owner: pg.Client, self: RoleRow, url: string): Promise<ServiceAccess & { role: string }> {
  const refuse = (reason: string): DatabaseUnusableError =>
    new DatabaseUnusableError(`DATABASE_SERVICE_URL cannot be used: ${reason}`);
  const given = await withClient(url, roleOf).catch((fault: Error) => {
    throw refuse(fault.message);
  });
  if (given.database !== self.database) {
    throw refuse(`it points to the database "${given.database}", but DATABASE_URL points to "${self.database}"`);
  }
  const { rows } = await owner.query<{ owns: boolean }>(`SELECT pg_has_role($1, current_user, 'MEMBER') AS owns`, [
    given.name,
  ]);
  if (given.unbound || rows[0]?.owns !== false) {
    throw refuse(
      `its role "${given.name}" bypasses row-level security (a superuser, BYPASSRLS, or the owner of the tables); use one that does not`,
    );
  }
  return { url, role: given.name };
}

/** A login named after the database, created at the first start; its password is updated if it has changed. */
async function makeLogin(
  owner: pg.Client,
  { database }: RoleRow,
  ownerUrl: string,
  password: string,
): Promise<ServiceAccess & { role: string }> {
  const role = await loginName(owner, database);
  const url = new URL(ownerUrl);
  // as query parameters, which take precedence: the URL of a socket has no host to put a user in front of
  url.username = url.password = '';
  url.searchParams.set('user', role);
  url.searchParams.set('password', password);
  const definition = `${owner.escapeIdentifier(role)} LOGIN PASSWORD ${owner.escapeLiteral(password)}`;
  try {
    const { rowCount } = await owner.query('SELECT FROM pg_roles WHERE rolname = $1', [role]);
    if (rowCount === 0) await owner.query(`CREATE ROLE ${definition}`);
    const found = await withClient(url.href, roleOf).catch(async (fault: unknown) => {
      if (!isWrongPassword(fault)) throw fault;
      await owner.query(`ALTER ROLE ${definition}`);
      return withClient(url.href, roleOf);
    });
    if (found.unbound) throw new Error('it was made a superuser or granted BYPASSRLS');
  } catch (error) {
    throw new DatabaseUnusableError(
      `the service cannot use the role "${role}", which it creates for itself (${messageOf(error)}); allow that role to log in, or set DATABASE_SERVICE_URL to another login`,
    );
  }
  return { url: url.href, role };
}

/** Bytes of a database's name that leave room for the rest of the login's: PostgreSQL cuts names at 63. */
const MAX_PLAIN_NAME = 50;

/**
 * `<database>_service`. That of a long name has a hash in it, since names that begin alike would else share a login, and a password; but
 * the login that a release before 0.35 made of its beginning keeps what it owns here.
 */
async function loginName(owner: pg.Client, database: string): Promise<string> {
  if (Buffer.byteLength(database) <= MAX_PLAIN_NAME) return `${database}_service`;
  const { rows } = await owner.query<{ name: string }>(
    `SELECT rolname AS name FROM pg_roles WHERE rolname = $1 AND EXISTS (
       SELECT FROM pg_shdepend WHERE refclassid = 'pg_authid'::regclass AND refobjid = pg_roles.oid
          AND dbid = (SELECT oid FROM pg_database WHERE datname = current_database()))`,
    [`${database.slice(0, 50)}_service`],
  );
  const digest = hash('sha256', database, 'hex').slice(0, 12);
  return rows[0]?.name ?? `${database.slice(0, 13)}_${digest}_service`; // a character takes up to three bytes
}

async function roleOf(client: pg.Client): Promise<RoleRow> {
  const { rows } = await client.query<RoleRow>(
    `SELECT rolname AS name, current_database() AS database, rolsuper OR rolbypassrls AS unbound,
            rolsuper OR rolcreaterole AS "mayMakeRoles"
     FROM pg_roles WHERE rolname = current_user`,
  );
  return only(rows);
}

/** Grants the role access to the rows of every table, restricted as the schema says. Objects that the role created are its own already. */
async function grant(owner: pg.Client, schema: SchemaSource, role: string): Promise<void> {
  const { rows } = await owner.query<{ name: string; place: string; sequence: boolean }>(
    `SELECT relname AS name, format('%I.%I', nspname, relname) AS place, relkind = 'S' AS sequence
     FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
     WHERE nspname IN ('public', 'bullmq') AND relkind IN ('r', 'p', 'S') AND pg_has_role(relowner, 'USAGE')`,
  );
  const sequences = rows.filter(({ sequence }) => sequence);
  const open = rows.filter(
    ({ name, sequence }) => !sequence && !Object.hasOwn(schema.restricted, name) && name !== MIGRATIONS_TABLE,
  );
  const named = owner.escapeIdentifier(role);
  const statements = [
    `GRANT USAGE ON SCHEMA public TO ${named}`,
    `GRANT USAGE, CREATE ON SCHEMA bullmq TO ${named}`, // a queue creates its sequence on first use
    ...sequences.map(({ place }) => `GRANT USAGE ON ${place} TO ${named}`),
    `GRANT SELECT ON ${MIGRATIONS_TABLE} TO ${named}`,
    `GRANT SELECT, INSERT, UPDATE, DELETE ON ${open.map(({ place }) => place).join(', ')} TO ${named}`,
    ...Object.entries(schema.restricted).flatMap(([table, rights]) => [
      `REVOKE ALL ON ${table} FROM ${named}`,
      `GRANT ${rights} ON ${table} TO ${named}`,
    ]),
  ];
  await owner.query(`BEGIN; ${statements.join('; ')}; COMMIT`);
}

/** Forces the policies on the owner if the service works as the owner, and only then: dumps and repairs need it unrestricted. */
async function forceOnOwner(owner: pg.Client, forced: boolean): Promise<void> {
  const { rows } = await owner.query<{ place: string }>(
    `SELECT oid::regclass::text AS place FROM pg_class
     WHERE relrowsecurity AND relforcerowsecurity <> $1 AND relnamespace = 'public'::regnamespace
       AND pg_has_role(relowner, 'USAGE')`,
    [forced],
  );
  for (const { place } of rows) {
    await owner.query(`ALTER TABLE ${place} ${forced ? 'FORCE' : 'NO FORCE'} ROW LEVEL SECURITY`);
  }
}
