import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { SkipTokens } from './skip-token.js';

const tokens = new SkipTokens(Buffer.alloc(32, 1));

describe('skip tokens', () => {
  it('round-trip for the same audience', () => {
    const next = fc.record({
      position: fc.array(fc.option(fc.string({ unit: 'grapheme' })), { maxLength: 4 }),
      remaining: fc.option(fc.nat()),
      options: fc.record({ $filter: fc.string({ unit: 'grapheme' }), $orderby: fc.string() }, { requiredKeys: [] }),
      asOf: fc.option(fc.string()),
    });
    fc.assert(
      fc.property(next, fc.string(), (page, audience) => {
        expect(tokens.read(tokens.issue(page, audience), audience)).toEqual(page);
      }),
      { seed: 1 },
    );
  });

  it('are shorter than the query they contain', () => {
    const ids = Array.from({ length: 200 }, () => `'${randomUUID()}'`).join(',');
    const names = Array.from({ length: 200 }, (_, n) => `'Кофе в зёрнах ${n}'`).join(',');
    for (const $filter of [`series_id in (${ids})`, `product_name in (${names})`]) {
      const token = tokens.issue(
        { position: ['a', 'b'], remaining: null, options: { $filter }, asOf: null },
        'audience',
      );
      expect(token.length).toBeLessThan(0.8 * encodeURIComponent($filter).length);
    }
  });

  it('are rejected with any changed character, for another audience or with another secret', () => {
    const token = tokens.issue({ position: ['a'], remaining: 3, options: {}, asOf: null }, 'audience');
    for (let at = 0; at < token.length - 1; at += 1) {
      const changed = token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1);
      expect(() => tokens.read(changed, 'audience')).toThrow('$skiptoken');
    }
    expect(() => tokens.read(token, 'audience ')).toThrow('$skiptoken');
    expect(() => new SkipTokens(Buffer.alloc(32, 2)).read(token, 'audience')).toThrow('$skiptoken');
  });
});
