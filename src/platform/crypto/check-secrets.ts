import { createHmac } from 'node:crypto';
import type { ClientBase } from 'pg';
import { DatabaseUnusableError, MIGRATION_LOCK } from '../database/setup/prepare-database.js';
import { withClient } from '../database/connections/with-client.js';
import type { Secrets } from './secrets.js';

/** The secrets without which stored data becomes unreadable. */
export const CHECKED_SECRETS = ['API_KEY_PEPPER', 'ENCRYPTION_KEY'] as const;
export type CheckedSecret = (typeof CHECKED_SECRETS)[number];

/**
 * Checks that the secrets are the ones that the data was stored with. The database keeps a digest made with each secret: the first
 * start stores them (the first process, if several start at once), later starts compare. Call it after the migrations and before
 * the service role is opened.
 * @throws {DatabaseUnusableError} naming the secrets that differ: API keys would be unknown, stored credentials unreadable
 */
export async function checkSecrets(ownerUrl: string, secrets: Secrets): Promise<void> {
  await withClient(ownerUrl, async (client) => {
    await client.query('BEGIN');
    await write(client, ['INSERT'], () => addDigests(client, CHECKED_SECRETS, secrets));
    await client.query('COMMIT');
    await refuseOthers(client, secrets);
  });
}

/**
 * Like {@link checkSecrets}, for a database that is yet to be migrated: a start that is refused must leave it usable for the
 * previous release. Stores nothing; a database without digests accepts any secrets.
 * @throws {DatabaseUnusableError}
 */
export async function checkSecretsBefore(client: ClientBase, secrets: Secrets): Promise<void> {
  const { rows } = await client.query<{ there: boolean }>(`SELECT to_regclass('secret_checks') IS NOT NULL AS there`);
  if (rows[0]?.there) await refuseOthers(client, secrets);
}

async function refuseOthers(client: ClientBase, secrets: Secrets): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT name FROM secret_checks JOIN unnest($1::text[], $2::bytea[]) AS given (name, digest) USING (name)
     WHERE secret_checks.digest <> given.digest ORDER BY name`,
    digestsOf(CHECKED_SECRETS, secrets),
  );
  if (rows.length === 0) return;
  const differing = rows.map(({ name }) => name);
  const them = differing.length === 1 ? 'the one' : 'those';
  throw new DatabaseUnusableError(
    `${differing.join(' and ')}: not ${them} that the data in this database was stored with; set the original value, or a DATA_DIR that has it in secrets/; if it is lost for good: npm run admin -- secrets replace ${differing.join(' ')}`,
  );
}

/** A replaced secret, with both digests. */
export interface ReplacedSecret {
  readonly name: CheckedSecret;
  readonly former: Buffer;
  readonly present: Buffer;
}

/**
 * Makes these secrets the ones that {@link checkSecrets} expects. Data stored under the previous ones is lost.
 * @param client connected as the owner of a migrated database, inside a transaction
 * @returns the secrets that differed
 */
export async function replaceSecrets(
  client: ClientBase,
  names: readonly CheckedSecret[],
  secrets: Secrets,
): Promise<readonly ReplacedSecret[]> {
  return write(client, ['INSERT', 'DELETE'], async () => {
    const { rows } = await client.query<ReplacedSecret>(
      `DELETE FROM secret_checks USING unnest($1::text[], $2::bytea[]) AS given (name, digest)
       WHERE secret_checks.name = given.name AND secret_checks.digest <> given.digest
       RETURNING given.name, secret_checks.digest AS former, given.digest AS present`,
      digestsOf(names, secrets),
    );
    await addDigests(client, names, secrets);
    return rows;
  });
}

/**
 * Grants the owner the privileges for the duration of `work`, in the open transaction: openServiceRole has revoked them if the
 * service works as the owner.
 */
async function write<T>(
  client: ClientBase,
  rights: readonly ('INSERT' | 'DELETE')[],
  work: () => Promise<T>,
): Promise<T> {
  await client.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK]); // PostgreSQL lets only one transaction at a time change the privileges on a table
  const { rows } = await client.query<{ lacking: string | null }>(
    `SELECT string_agg(given, ', ') AS lacking FROM unnest($1::text[]) AS given
     WHERE NOT has_table_privilege('secret_checks', given)`,
    [rights],
  );
  const lacking = rows[0]?.lacking;
  if (lacking) await client.query(`GRANT ${lacking} ON secret_checks TO CURRENT_USER`);
  const result = await work();
  if (lacking) await client.query(`REVOKE ${lacking} ON secret_checks FROM CURRENT_USER`);
  return result;
}

async function addDigests(client: ClientBase, names: readonly CheckedSecret[], secrets: Secrets): Promise<void> {
  await client.query(
    `INSERT INTO secret_checks (name, digest) SELECT * FROM unnest($1::text[], $2::bytea[]) ON CONFLICT DO NOTHING`,
    digestsOf(names, secrets),
  );
}

function digestsOf(
  names: readonly CheckedSecret[],
  { apiKeyPepper, encryptionKey }: Secrets,
): [readonly string[], readonly Buffer[]] {
  const secrets: Readonly<Record<CheckedSecret, string | Buffer>> = {
    API_KEY_PEPPER: apiKeyPepper,
    ENCRYPTION_KEY: encryptionKey,
  };
  return [names, names.map((name) => digestUnder(secrets[name]))];
}

function digestUnder(secret: string | Buffer): Buffer {
  return createHmac('sha256', secret).update('check of the secrets of the installation').digest();
}
