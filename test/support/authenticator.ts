import { codeAt, stepOf } from '../../src/access/second-factor/totp.js';
import { TEST_TOTP_SECRET } from './builders.js';

/** Decodes the secret that an authenticator app is given. */
export function fromBase32(text: string): Buffer {
  const bits = [...text]
    .map((letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'))
    .join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => parseInt(byte, 2)));
}

/** The current code, for the secret of test users with a second factor or for one in base32. */
export function currentCode(secret: Buffer | string = TEST_TOTP_SECRET): string {
  return codeAt(typeof secret === 'string' ? fromBase32(secret) : secret, stepOf(new Date()));
}
