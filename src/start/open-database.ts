import { createHmac } from 'node:crypto';
import type { Settings } from '../../config/settings.js';
import { checkSecrets } from '../platform/crypto/check-secrets.js';
import type { Secrets } from '../platform/crypto/secrets.js';
import { prepareDatabase } from '../platform/database/prepare-database.js';
import { openServiceRole } from '../platform/database/service-role.js';
import { EmbeddedPostgres, type EmbeddedPostgresOptions } from '../platform/embedded-postgres/embedded-postgres.js';
import { SCHEMA } from '../schema.js';

export interface OpenDatabase {
  /** Where the service works: a role that row-level security binds. */
  readonly url: string;
  /** What the operator should know about it, in a line. */
  readonly warning: string | undefined;
  /** Gives the database up; stops the embedded server when no other process uses it. */
  release(): Promise<void>;
}

/**
 * The configured PostgreSQL, or the embedded one, migrated to this release.
 * @param logger told of an embedded server that dies
 */
export async function openDatabase(
  settings: Settings,
  secrets: Secrets,
  logger?: EmbeddedPostgresOptions['logger'],
): Promise<OpenDatabase> {
  const password = createHmac('sha256', secrets.apiKeyPepper).update('password of the database role').digest('hex');
  const open = async (
    ownerUrl: string,
    givenUrl: string | undefined,
    release: () => Promise<void>,
  ): Promise<OpenDatabase> => {
    await prepareDatabase(SCHEMA, ownerUrl);
    await checkSecrets(ownerUrl, secrets);
    const { url, warning } = await openServiceRole(SCHEMA, ownerUrl, { givenUrl, password });
    return { url, warning, release };
  };
  if (settings.DATABASE_URL !== undefined) {
    return open(settings.DATABASE_URL, settings.DATABASE_SERVICE_URL, () => Promise.resolve());
  }
  const server = await EmbeddedPostgres.start({
    dataDirectory: settings.DATA_DIR,
    password: secrets.databasePassword,
    ...(logger && { logger }),
  });
  try {
    return await open(server.url, undefined, () => server.release());
  } catch (error) {
    await server.release();
    throw error;
  }
}
