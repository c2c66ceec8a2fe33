import { hash, randomBytes } from 'node:crypto';
import { toBase32 } from './totp.js';

const CODES = 10;
/** 80 bits: too many to brute-force, so an unsalted hash is enough. */
const BYTES = 10;

/** The format of a recovery code; case-insensitive. */
export const RECOVERY_CODE = /^[a-z2-7]{4}(-[a-z2-7]{4}){3}$/i;

/** A set of codes, each with four groups of four letters and digits. */
export function generateRecoveryCodes(): string[] {
  return Array.from({ length: CODES }, () =>
    toBase32(randomBytes(BYTES))
      .toLowerCase()
      .replace(/.{4}(?=.)/g, '$&-'),
  );
}

/** SHA-256 of a code after normalization. */
export function hashRecoveryCode(code: string): Buffer {
  return hash('sha256', code.toLowerCase(), 'buffer');
}
