import { createHmac, timingSafeEqual } from 'node:crypto';

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const STEP_MS = 30_000;
const DIGITS = 6;

/** The time step of an instant (RFC 6238 section 4.2, 30 seconds from the epoch). */
export function stepOf(now: Date): number {
  return Math.floor(now.getTime() / STEP_MS);
}

/** The code for a step: HOTP with HMAC-SHA-1 and dynamic truncation (RFC 4226 section 5.3), 6 digits. */
export function codeAt(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac('sha1', secret).update(counter).digest();
  const offset = digest.readUInt8(digest.length - 1) & 0x0f;
  const truncated = digest.readUInt32BE(offset) & 0x7fff_ffff;
  return String(truncated % 10 ** DIGITS).padStart(DIGITS, '0');
}

/**
 * The step that a code belongs to: the current one or, to tolerate clock skew, one next to it.
 * @returns undefined for a wrong code
 */
export function matchingStep(secret: Buffer, code: string, now: Date): number | undefined {
  if (!/^\d{6}$/.test(code)) return undefined;
  const current = stepOf(now);
  return [current, current - 1, current + 1].find((step) =>
    timingSafeEqual(Buffer.from(codeAt(secret, step)), Buffer.from(code)),
  );
}

/** Base32 without padding (RFC 4648), the format in which authenticator apps accept a secret. */
export function toBase32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{1,5}/g) ?? []).map((group) => BASE32.charAt(parseInt(group.padEnd(5, '0'), 2))).join('');
}
