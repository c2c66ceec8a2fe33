import { createHmac } from 'node:crypto';
import { DatabaseUnusableError, MIGRATION_LOCK } from '../database/prepare-database.js';
import { withClient } from '../database/with-client.js';
import type { Secrets } from './secrets.js';

/** The secrets that what is stored was written under. */
export const CHECKED_SECRETS = ['API_KEY_PEPPER', 'ENCRYPTION_KEY'] as const;
export type CheckedSecret = (typeof CHECKED_SECRETS)[number];

/**
 * Compares the secrets with those that the database was first started with, by a digest under each. A database that knows
 * none yet takes these, of processes that start at once those of the first. Call it with the database prepared, before
 * the role of the service is opened.
 * @throws {DatabaseUnusableError} naming the secrets that differ: keys would be unknown, stored credentials unreadable
 */
export async function checkSecrets(ownerUrl: string, { apiKeyPepper, encryptionKey }: Secrets): Promise<void> {
  const digests: Readonly<Record<CheckedSecret, Buffer>> = {
    API_KEY_PEPPER: digestUnder(apiKeyPepper),
    ENCRYPTION_KEY: digestUnder(encryptionKey),
  };
  const differing = await withClient(ownerUrl, async (client) => {
    const values = [Object.keys(digests), Object.values(digests)];
    await client.query('BEGIN');
    await client.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK]); // rights of a table are changed by one at a time
    // where the service works as the owner, the start before has taken this right from him; openServiceRole takes it again
    await client.query('GRANT INSERT ON secret_checks TO CURRENT_USER');
    await client.query(
      `INSERT INTO secret_checks (name, digest) SELECT * FROM unnest($1::text[], $2::bytea[]) ON CONFLICT DO NOTHING`,
      values,
    );
    await client.query('COMMIT');
    const { rows } = await client.query<{ name: string }>(
      `SELECT name FROM secret_checks JOIN unnest($1::text[], $2::bytea[]) AS given (name, digest) USING (name)
       WHERE secret_checks.digest <> given.digest ORDER BY name`,
      values,
    );
    return rows.map(({ name }) => name);
  });
  if (differing.length === 0) return;
  const them = differing.length === 1 ? 'the one' : 'those';
  throw new DatabaseUnusableError(
    `${differing.join(' and ')}: not ${them} that this database was filled under; give the same as before, or the DATA_DIR with the file in secrets/; where it is lost for good: npm run admin -- secrets replace`,
  );
}

/** Has the next start take the secret that it is given: what was stored under the one before is lost. */
export async function forgetSecret(ownerUrl: string, name: CheckedSecret): Promise<void> {
  await withClient(ownerUrl, async (client) => {
    await client.query('BEGIN');
    await client.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    await client.query('GRANT DELETE ON secret_checks TO CURRENT_USER'); // as INSERT above, taken again with it
    await client.query('DELETE FROM secret_checks WHERE name = $1', [name]);
    await client.query('COMMIT');
  });
}

function digestUnder(secret: string | Buffer): Buffer {
  return createHmac('sha256', secret).update('check of the secrets of the installation').digest();
}
