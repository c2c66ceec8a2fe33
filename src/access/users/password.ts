import { randomInt } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';

/** argon2id with the parameters that OWASP recommends: 19 MiB, two passes, one lane. */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** Without look-alikes, so that a password can be read aloud. */
const READABLE = 'abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';

/** @returns argon2id in PHC string format, salted */
export function hashPassword(password: string): Promise<string> {
  return hash(password, PARAMETERS);
}

export function verifyPassword(passwordHash: string, password: string): Promise<boolean> {
  return verify(passwordHash, password);
}

/** A password for the first sign-in: 20 readable characters, 115 bits. */
export function generatePassword(): string {
  return Array.from({ length: 20 }, () => READABLE[randomInt(READABLE.length)]).join('');
}
