import { join } from 'node:path';
import type { Settings } from '../../config/settings.js';
import type { Secrets } from '../platform/crypto/secrets.js';
import { prepareDatabase } from '../platform/database/prepare-database.js';
import { EmbeddedPostgres } from '../platform/embedded-postgres/embedded-postgres.js';
import { SCHEMA } from '../schema.js';

export interface OpenDatabase {
  readonly url: string;
  /** Whether it held nothing before this start. */
  readonly wasEmpty: boolean;
  /** Gives the database up; stops the embedded server when no other process uses it. */
  release(): Promise<void>;
}

/** The configured PostgreSQL, or the embedded one, migrated to this release. */
export async function openDatabase(settings: Settings, secrets: Secrets): Promise<OpenDatabase> {
  if (settings.DATABASE_URL !== undefined) {
    const { wasEmpty } = await prepareDatabase(SCHEMA, settings.DATABASE_URL);
    return { url: settings.DATABASE_URL, wasEmpty, release: () => Promise.resolve() };
  }
  const server = await EmbeddedPostgres.start({
    dataDirectory: join(settings.DATA_DIR),
    password: secrets.databasePassword,
  });
  try {
    const { wasEmpty } = await prepareDatabase(SCHEMA, server.url);
    return { url: server.url, wasEmpty, release: () => server.release() };
  } catch (error) {
    await server.release();
    throw error;
  }
}
