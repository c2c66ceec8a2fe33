import { describe, expect, it } from '@jest/globals';
import { codeAt, matchingStep, stepOf, toBase32 } from './totp.js';

describe('time-based one-time passwords', () => {
  const secret = Buffer.from('12345678901234567890');

  // RFC 6238 appendix B lists 8 digits; the 6-digit codes are their last 6
  it.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ])('generates the RFC 6238 code at %d s', (seconds, code) => {
    expect(codeAt(secret, stepOf(new Date(seconds * 1_000)))).toBe(code);
  });

  it('accepts the codes adjacent to the current one and no others', () => {
    const now = new Date('2026-11-21T06:00:00Z');
    const step = stepOf(now);
    for (const shift of [-1, 0, 1]) expect(matchingStep(secret, codeAt(secret, step + shift), now)).toBe(step + shift);
    for (const shift of [-2, 2, 100]) expect(matchingStep(secret, codeAt(secret, step + shift), now)).toBeUndefined();
    for (const text of ['', '12345', '1234567', 'abcdef']) expect(matchingStep(secret, text, now)).toBeUndefined();
  });

  it('encodes base32 as in RFC 4648', () => {
    expect(toBase32(Buffer.from('foobar'))).toBe('MZXW6YTBOI');
    expect(toBase32(Buffer.from('fooba'))).toBe('MZXW6YTB');
  });
});
