import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
const NONCE = 12;
const TAG = 16;

/**
 * Encrypts a secret with AES-256-GCM under a fresh nonce.
 * @param key 32 bytes
 * @param owner bound to the result as associated data: a box sealed for one owner does not open for another
 * @returns nonce, tag and ciphertext
 */
export function seal(plaintext: Buffer, key: Buffer, owner: string): Buffer {
  const nonce = randomBytes(NONCE);
  const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(Buffer.from(owner));
  const sealed = Buffer.concat([cipher.update(plaintext), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
}

/** @throws if the box was modified, or was sealed under another key or for another owner */
export function unseal(box: Buffer, key: Buffer, owner: string): Buffer {
  const decipher = createDecipheriv(ALGORITHM, key, box.subarray(0, NONCE)).setAAD(Buffer.from(owner));
  decipher.setAuthTag(box.subarray(NONCE, NONCE + TAG));
  return Buffer.concat([decipher.update(box.subarray(NONCE + TAG)), decipher.final()]);
}
