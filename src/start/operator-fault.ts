import { isNativeError } from 'node:util/types';
import { SettingsError } from '../../config/settings.js';
import { DataDirectoryError } from '../platform/crypto/secrets.js';
import { isDatabaseAway } from '../platform/database/database-faults.js';
import { DatabaseUnusableError } from '../platform/database/prepare-database.js';
import { EmbeddedPostgresError } from '../platform/embedded-postgres/embedded-postgres-error.js';
import { codeOf, messageOf } from '../platform/faults.js';
import { DemoError } from './demo/client.js';
import { PortUnavailableError } from './port.js';
import { RedisUnusableError } from './redis.js';

const OPERATOR_FAULTS = [
  SettingsError,
  DataDirectoryError,
  DatabaseUnusableError,
  DemoError,
  EmbeddedPostgresError,
  PortUnavailableError,
  RedisUnusableError,
];

/** What mends faults of the system, by their code. */
const OF_THE_SYSTEM: Readonly<Record<string, string>> = {
  ENOSPC: 'make room on the disk',
  EDQUOT: 'raise the quota of this account, or make room',
  EFBIG: 'raise the limit of the size of files',
  EROFS: 'the file system is mounted for reading only',
  EACCES: 'give the account of this process the right to it',
  EPERM: 'give the account of this process the right to it',
  EMFILE: 'raise the limit of open files of this process',
  ENFILE: 'raise the limit of open files of the system',
  ENOMEM: 'there is too little memory',
};

/** What mends faults of the database, by the first characters of their SQLSTATE. */
const OF_THE_DATABASE: readonly (readonly [string, string])[] = [
  ['53100', 'make room on the disk of the database'],
  ['53300', 'raise max_connections of the database, or lower DATABASE_POOL'],
  ['53', 'the database is short of resources'],
  ['58', "the database's machine is at fault"],
  ['25006', 'this is a standby, or set to read only: give the address of the primary'],
  ['42501', 'give the role of DATABASE_URL the right to it'],
];

/** The fault as a sentence with the way out, where the operator can mend it; undefined where it is a defect of the service. */
export function operatorFault(error: unknown): string | undefined {
  if (OPERATOR_FAULTS.some((kind) => error instanceof kind)) return messageOf(error);
  if (!isNativeError(error)) return undefined;
  const code = codeOf(error);
  const wayOut =
    'severity' in error ? OF_THE_DATABASE.find(([prefix]) => code.startsWith(prefix))?.[1] : OF_THE_SYSTEM[code];
  if (wayOut !== undefined) return `${error.message}; ${wayOut}`;
  if (error.message.startsWith('unsupported startup parameter'))
    return `the pooler in front of the database says: ${error.message}; have it pass that over (of PgBouncer: ignore_startup_parameters = options)`;
  return isDatabaseAway(error) ? `the database went away (${error.message}); start again when it is back` : undefined;
}
