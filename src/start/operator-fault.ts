import { SettingsError } from '../../config/settings.js';
import { DataDirectoryError } from '../platform/crypto/secrets.js';
import { DatabaseUnusableError } from '../platform/database/prepare-database.js';
import { EmbeddedPostgresError } from '../platform/embedded-postgres/run-tool.js';
import { PortUnavailableError } from './port.js';

const OPERATOR_FAULTS = [
  SettingsError,
  DataDirectoryError,
  DatabaseUnusableError,
  EmbeddedPostgresError,
  PortUnavailableError,
];

/** Whether the fault is one the operator can mend, told in its message without a stack. */
export function isOperatorFault(error: unknown): error is Error {
  return OPERATOR_FAULTS.some((kind) => error instanceof kind);
}
