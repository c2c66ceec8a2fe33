import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { counted } from '../../platform/counted.js';
import { seal, unseal } from '../../platform/crypto/sealed-box.js';
import { readAhead } from '../../platform/work/read-ahead.js';
import { type Check, firstFive, passedIf } from './check.js';
import {
  countHashes,
  countPasswords,
  HASH_COLUMNS,
  readSealed,
  SEALED_COLUMNS,
  type SealedBox,
} from './secrets.queries.js';

const BATCH = 500;
const PROBE = Buffer.from('probe');

/** Opens every sealed box in the database, and one created for this purpose. */
export const sealedSecrets: Check = async ({ db, secrets: { encryptionKey } }) => {
  const probe = unseal(seal(PROBE, encryptionKey, 'probe'), encryptionKey, 'probe');
  if (!probe.equals(PROBE)) throw new Error('encrypted data does not decrypt to the original');
  let total = 0;
  const closed: string[] = [];
  for (const column of SEALED_COLUMNS) {
    const batches = readAhead(BATCH, (last: SealedBox | undefined) => readSealed(db, column, last?.owner, BATCH));
    for await (const boxes of batches) {
      total += boxes.length;
      for (const { owner, box } of boxes) {
        if (!opens(box, encryptionKey, owner)) closed.push(`${column.table} ${owner}`);
      }
    }
  }
  return passedIf(
    closed.length === 0,
    `${total - closed.length} of ${counted(total, 'stored secret')} (AES-256-GCM) and a probe can be decrypted with the key in use.${closed.length === 0 ? '' : ` Not decryptable: ${firstFive(closed)}.`}`,
  );
};

function opens(box: Buffer, key: Buffer, owner: string): boolean {
  try {
    unseal(box, key, owner);
    return true;
  } catch {
    return false;
  }
}

export const credentialsHashed: Check = async ({ db }) => {
  const passwords = await countPasswords(db);
  let total = 0;
  const wrong: string[] = [];
  for (const column of HASH_COLUMNS) {
    const found = await countHashes(db, column);
    total += found.total;
    if (found.wrong > 0) wrong.push(`${found.wrong} in ${column.table}.${column.column}`);
  }
  return passedIf(
    passwords.wrong === 0 && wrong.length === 0,
    `${passwords.total - passwords.wrong} of ${counted(passwords.total, 'password')} hashed with argon2id; ${counted(total, 'credential')} of sessions, links, recovery codes and API keys stored, ${wrong.length === 0 ? 'all with the length of a SHA-256' : `not as hashes: ${wrong.join(', ')}`}.`,
  );
};

/** Only the account that runs the service may read its stored keys. */
export const secretsPrivate: Check = async ({ settings }) => {
  const directory = join(settings.DATA_DIR, 'secrets');
  const names = await readdir(directory);
  const open: string[] = [];
  for (const name of ['.', ...names]) {
    if (((await stat(join(directory, name))).mode & 0o077) !== 0) open.push(name === '.' ? 'the directory' : name);
  }
  return passedIf(
    open.length === 0,
    `${counted(names.length, 'key file')} outside the database; ${open.length === 0 ? 'only the service can read them and their directory' : `readable by others: ${firstFive(open)}`}.`,
  );
};
