import { createHmac, timingSafeEqual } from 'node:crypto';

/** Whether a signature is the HMAC-SHA256 of the bytes in base64, as shops sign webhooks; takes the same time wherever the two differ. */
export function isSignedWith(secret: string, body: Buffer, signature: string | undefined): boolean {
  const expected = createHmac('sha256', secret).update(body).digest();
  const given = Buffer.from(signature ?? '', 'base64');
  // what does not have the length of a digest is compared all the same, with something of that length
  const comparable = given.length === expected.length ? given : Buffer.alloc(expected.length);
  return timingSafeEqual(expected, comparable) && given.length === expected.length;
}
