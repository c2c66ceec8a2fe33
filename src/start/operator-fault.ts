import { isNativeError } from 'node:util/types';
import { SettingsError } from '../../config/settings.js';
import { DataDirectoryError } from '../platform/crypto/secrets.js';
import { isDatabaseUnavailable } from '../platform/database/database-faults.js';
import { DatabaseUnusableError } from '../platform/database/setup/prepare-database.js';
import { EmbeddedPostgresError } from '../platform/embedded-postgres/embedded-postgres-error.js';
import { codeOf, messageOf, remedyOf } from '../platform/faults.js';
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

/** Remedies for database errors, by SQLSTATE prefix. */
const OF_THE_DATABASE: readonly (readonly [string, string])[] = [
  ['53100', 'free up disk space on the database server'],
  ['53300', 'raise max_connections of the database, or lower DATABASE_POOL'],
  ['53', 'the database is out of resources'],
  ['58', 'the database server has a system error'],
  ['25006', 'this database is a standby or read-only: use the address of the primary'],
  ['42501', 'grant the required privilege to the role of DATABASE_URL'],
];

/** The error as a sentence with its remedy, if the operator can fix it; undefined if it is a bug in the service. */
export function operatorFault(error: unknown): string | undefined {
  if (OPERATOR_FAULTS.some((kind) => error instanceof kind)) return messageOf(error);
  if (!isNativeError(error)) return undefined;
  const code = codeOf(error);
  const remedy =
    'severity' in error ? OF_THE_DATABASE.find(([prefix]) => code.startsWith(prefix))?.[1] : remedyOf(error);
  if (remedy !== undefined) return `${error.message}; ${remedy}`;
  if (error.message.startsWith('unsupported startup parameter'))
    return `the connection pooler in front of the database reports: ${error.message}; configure it to ignore this parameter (PgBouncer: ignore_startup_parameters = options)`;
  return isDatabaseUnavailable(error)
    ? `lost the connection to the database (${error.message}); start again when it is available`
    : undefined;
}
