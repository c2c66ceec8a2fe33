import { describe, expect, it } from '@jest/globals';
import { isSignedWith } from './signatures.js';

const BODY = Buffer.from('{"id":1}');
const SIGNATURE = 'VnKUjZsLuN5iZWjn5EntcBVCF9kMN43LglzCE1/GSeY=';

describe('a webhook signature', () => {
  it('is the base64 HMAC-SHA256 of the bytes', () => {
    expect(isSignedWith('hush', BODY, SIGNATURE)).toBe(true);
  });

  it.each([
    ['another secret', 'hush!', BODY, SIGNATURE],
    ['another body', 'hush', Buffer.from('{"id": 1}'), SIGNATURE],
    ['no signature', 'hush', BODY, undefined],
    ['an empty signature', 'hush', BODY, ''],
    ['a shorter signature', 'hush', BODY, SIGNATURE.slice(0, 20)],
    ['a longer signature', 'hush', BODY, `${SIGNATURE.slice(0, -1)}AAAA`],
    ['invalid base64', 'hush', BODY, '!!!'],
    ['zeros', 'hush', BODY, Buffer.alloc(32).toString('base64')],
  ])('does not match %s', (_what, secret, body, signature) => {
    expect(isSignedWith(secret, body, signature)).toBe(false);
  });
});
