import { resolve } from 'node:path';
import pg from 'pg';
import { loadSettings, type Settings } from '../../config/settings.js';
import { AccountMails } from '../access/mails/account-mails.js';
import { OrganizationMails } from '../access/mails/organization-mails.js';
import { Clock } from '../platform/clock.js';
import { loadSecrets, type Secrets } from '../platform/crypto/secrets.js';
import { Database } from '../platform/database/database.js';
import { poolOptions } from '../platform/database/connections/pool-options.js';
import { Lifecycle } from '../platform/lifecycle.js';
import { createLogger } from '../platform/logging/logger.js';
import { MailOutbox } from '../platform/mail/mail-outbox.js';
import { createMailTransport } from '../platform/mail/mail-transport.js';
import { Metrics } from '../platform/metrics/metrics.js';
import { Rounds } from '../platform/work/rounds.js';
import { openDatabase } from '../start/open-database.js';
import type { Host } from './host.js';

/** What every command needs. */
export interface AdminContext {
  readonly database: Database;
  /** The database URL that the service uses. */
  readonly databaseUrl: string;
  readonly settings: Settings;
  readonly secrets: Secrets;
  /** Notices to users; the service sends them, immediately or once it starts. */
  readonly mails: AccountMails;
  /** Notices to those responsible for an organization, likewise. */
  readonly organizationMails: OrganizationMails;
  readonly now: Date;
}

/** The database as commands use it; the caller ends its pool. */
export function commandDatabase(url: string): Database {
  const pool = new pg.Pool({ ...poolOptions(url, 'admin'), max: 2 });
  pool.on('error', () => undefined); // the query in flight rejects anyway
  return new Database(pool, { kind: 'system', reason: 'command line' });
}

/**
 * Opens the installation's database (adopting a running embedded server), runs `work`, and restores the previous state. Reports if
 * a database had to be created: most likely the command was meant for another one, and DATA_DIR or DATABASE_URL was forgotten.
 */
export async function withAdminContext<T>(
  work: (context: AdminContext) => Promise<T>,
  { env, stderr }: Host,
): Promise<T> {
  const settings = loadSettings(env);
  const secrets = loadSecrets(settings);
  const opened = await openDatabase(settings, secrets);
  if (opened.isNew)
    stderr.write(`note: there was no database in ${resolve(settings.DATA_DIR)}; this command created one\n`);
  const database = commandDatabase(opened.url);
  const clock = new Clock();
  const transport = await createMailTransport(settings);
  const logger = createLogger(settings);
  const rounds = new Rounds(new Lifecycle(), logger);
  const outbox = new MailOutbox(database, clock, secrets, transport, logger, rounds, new Metrics());
  const mails = new AccountMails(outbox, clock, settings);
  const organizationMails = new OrganizationMails(outbox, clock);
  const now = clock.now();
  try {
    return await work({ database, databaseUrl: opened.url, settings, secrets, mails, organizationMails, now });
  } finally {
    transport?.close();
    await database.pool.end();
    await opened.release();
  }
}
