import { createHmac, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const PREFIX = 'fk_';
const RANDOM_LENGTH = 40;
const CHECKSUM_LENGTH = 6;
const SHAPE = new RegExp(`^${PREFIX}[0-9A-Za-z]{${RANDOM_LENGTH + CHECKSUM_LENGTH}}$`);

/**
 * A new API key: `fk_`, 40 random base62 characters (238 bits), and a CRC32 of both in base62. The checksum lets secret scanners
 * and this service tell a key from a look-alike without querying the database.
 */
export function generateApiKey(): string {
  const random = Array.from({ length: RANDOM_LENGTH }, () => BASE62[randomInt(62)]).join('');
  return `${PREFIX}${random}${checksum(PREFIX + random)}`;
}

/** Whether the text has the format of a key and a valid checksum. */
export function isWellFormedApiKey(text: string): boolean {
  return SHAPE.test(text) && checksum(text.slice(0, -CHECKSUM_LENGTH)) === text.slice(-CHECKSUM_LENGTH);
}

/** HMAC-SHA256 of the key under the installation's pepper: a stolen table alone does not allow testing keys. */
export function hashApiKey(key: string, pepper: string): Buffer {
  return createHmac('sha256', pepper).update(key).digest();
}

/** The parts of a key kept for recognizing it. */
export function displayParts(key: string): { prefix: string; lastFour: string } {
  return { prefix: key.slice(0, PREFIX.length + 4), lastFour: key.slice(-4) };
}

function checksum(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let position = 0; position < CHECKSUM_LENGTH; position += 1) {
    digits = BASE62.charAt(rest % 62) + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}
