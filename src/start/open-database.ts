import { createHmac } from 'node:crypto';
import type { Settings } from '../../config/settings.js';
import { checkSecrets, checkSecretsBefore } from '../platform/crypto/check-secrets.js';
import type { Secrets } from '../platform/crypto/secrets.js';
import { prepareDatabase } from '../platform/database/setup/prepare-database.js';
import { openServiceRole } from '../platform/database/setup/service-role.js';
import { hasCluster } from '../platform/embedded-postgres/cluster.js';
import { EmbeddedPostgres, type EmbeddedPostgresOptions } from '../platform/embedded-postgres/embedded-postgres.js';
import type { Logger } from '../platform/logging/logger.js';
import { SCHEMA } from '../schema.js';

export interface OpenDatabase {
  /** The URL that the service works with: a role bound by row-level security. */
  readonly url: string;
  /** A one-line warning for the operator. */
  readonly warning: string | undefined;
  /** Whether the embedded database was just created because the data directory had none. */
  readonly isNew: boolean;
  /** Releases the database; stops the embedded server if no other process uses it. */
  release(): Promise<void>;
}

/**
 * Opens the configured or the embedded PostgreSQL, migrated to this release.
 * @param logger gets a line about migrations, and if an embedded server dies
 */
export async function openDatabase(settings: Settings, secrets: Secrets, logger?: Logger): Promise<OpenDatabase> {
  const password = createHmac('sha256', secrets.apiKeyPepper).update('password of the database role').digest('hex');
  const { DATABASE_SERVICE_URL: givenUrl } = settings;
  const owner = await openAsOwner(settings, secrets, logger);
  try {
    await prepareDatabase(SCHEMA, owner.url, logger, (client) => checkSecretsBefore(client, secrets));
    await checkSecrets(owner.url, secrets);
    const { url, warning } = await openServiceRole(SCHEMA, owner.url, { givenUrl, password });
    return { url, warning, isNew: owner.isNew, release: owner.release };
  } catch (error) {
    await owner.release();
    throw error;
  }
}

/** The same database as seen by its owner, neither migrated nor checked. */
export async function openAsOwner(
  settings: Settings,
  secrets: Secrets,
  logger?: EmbeddedPostgresOptions['logger'],
): Promise<Pick<OpenDatabase, 'url' | 'isNew' | 'release'>> {
  if (settings.DATABASE_URL !== undefined) {
    return { url: settings.DATABASE_URL, isNew: false, release: () => Promise.resolve() };
  }
  const isNew = !hasCluster(settings.DATA_DIR);
  const server = await EmbeddedPostgres.start({
    dataDirectory: settings.DATA_DIR,
    password: secrets.databasePassword,
    ...(logger && { logger }),
  });
  return { url: server.url, isNew, release: () => server.release() };
}
