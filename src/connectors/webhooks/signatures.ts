import { createHmac, timingSafeEqual } from 'node:crypto';

/** Whether a signature is the base64 HMAC-SHA256 of the bytes, as used by shops for webhooks; the comparison is constant-time. */
export function isSignedWith(secret: string, body: Buffer, signature: string | undefined): boolean {
  const expected = createHmac('sha256', secret).update(body).digest();
  const given = Buffer.from(signature ?? '', 'base64');
  return given.length === expected.length && timingSafeEqual(expected, given);
}
