import { hash, randomBytes } from 'node:crypto';
import { toBase32 } from './totp.js';

const CODES = 10;
/** 80 bits: too many to try, so a hash without salt is enough. */
const BYTES = 10;

/** What a recovery code looks like; case does not matter. */
export const RECOVERY_CODE = /^[a-z2-7]{4}(-[a-z2-7]{4}){3}$/i;

/** A set of codes, each in four groups of four letters and digits. */
export function generateRecoveryCodes(): string[] {
  return Array.from({ length: CODES }, () =>
    toBase32(randomBytes(BYTES))
      .toLowerCase()
      .replace(/.{4}(?=.)/g, '$&-'),
  );
}

/** SHA-256 of a code, normalized first. */
export function hashRecoveryCode(code: string): Buffer {
  return hash('sha256', code.toLowerCase(), 'buffer');
}
