import { hash, randomBytes } from 'node:crypto';

/** The secret part of a link: 256 random bits after a prefix that indicates its purpose. */
export function generateLinkToken(prefix: 'fi' | 'fr' | 'fe'): string {
  return `${prefix}_${randomBytes(32).toString('base64url')}`;
}

/** SHA-256 of a token, which is random enough to need no salt. */
export function hashLinkToken(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}
