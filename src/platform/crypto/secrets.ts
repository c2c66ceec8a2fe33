import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Settings } from '../../../config/settings.js';
import { codeOf, messageOf, remedyOf } from '../faults.js';
import { createWhole } from '../whole-files.js';

/** The installation's secrets, taken from the settings or generated once. Never logged. */
export interface Secrets {
  /** Pepper of the API key hashes. */
  readonly apiKeyPepper: string;
  /** 32 bytes: the AES-256-GCM key for stored credentials. */
  readonly encryptionKey: Buffer;
  /** Password of the embedded database's superuser. */
  readonly databasePassword: string;
}

/** The data directory cannot be used; the message is one line for the operator. */
export class DataDirectoryError extends Error {
  override readonly name = 'DataDirectoryError';
}

/**
 * Loads the installation's secrets; those missing from the settings are generated at the first start and kept in `DATA_DIR/secrets`
 * with mode 600.
 * @throws {DataDirectoryError} if the directory cannot be read or written
 */
export function loadSecrets(settings: Settings): Secrets {
  const directory = join(settings.DATA_DIR, 'secrets');
  const stored = (name: string, bytes: number): string => readOrCreate(join(directory, name), bytes);
  const hexadecimal = (key: string): string => {
    if (/^[0-9a-f]{64}$/i.test(key)) return key;
    throw new DataDirectoryError(`${join(directory, 'encryption-key')} must contain 64 hexadecimal digits`);
  };
  try {
    makeDirectory(settings.DATA_DIR, 0o755);
    makeDirectory(directory, 0o700);
    return {
      apiKeyPepper: settings.API_KEY_PEPPER ?? stored('api-key-pepper', 32),
      encryptionKey: Buffer.from(settings.ENCRYPTION_KEY ?? hexadecimal(stored('encryption-key', 32)), 'hex'),
      databasePassword: stored('database-password', 24),
    };
  } catch (error) {
    if (error instanceof DataDirectoryError) throw error;
    throw new DataDirectoryError(
      `DATA_DIR ${settings.DATA_DIR} cannot be used (${messageOf(error)}); ${remedyOf(error) ?? 'set it to another directory'}`,
    );
  }
}

/**
 * Creates a directory and its parents. mkdirSync with `recursive` never returns on file systems that report ENOENT although the
 * parent exists, such as /proc and automounts.
 */
function makeDirectory(path: string, mode: number): void {
  const above = dirname(path);
  if (!existsSync(above)) makeDirectory(above, mode);
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
}

/** The exclusive create decides which of two processes that start at once generates the value. */
function readOrCreate(path: string, bytes: number): string {
  if (!existsSync(path)) {
    try {
      createWhole(path, randomBytes(bytes).toString('hex'), 0o600);
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error;
    }
  }
  const value = readFileSync(path, 'utf8').trim();
  if (value === '')
    throw new DataDirectoryError(
      `${path} is empty; restore its contents, or remove the file if no database holds data yet`,
    );
  return value;
}
