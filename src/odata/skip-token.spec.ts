import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { SkipTokens } from './skip-token.js';

const tokens = new SkipTokens(Buffer.alloc(32, 1));

describe('skip tokens', () => {
  it('give back what they were made of, for the same query', () => {
    const next = fc.record({
      position: fc.array(fc.option(fc.string({ unit: 'grapheme' })), { maxLength: 4 }),
      remaining: fc.option(fc.nat()),
    });
    fc.assert(
      fc.property(next, fc.string(), (page, query) => {
        expect(tokens.read(tokens.issue(page, query), query)).toEqual(page);
      }),
    );
  });

  it('are refused with any other character, for another query, and under another secret', () => {
    const token = tokens.issue({ position: ['a'], remaining: 3 }, 'query');
    for (let at = 0; at < token.length - 1; at += 1) {
      const changed = token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1);
      expect(() => tokens.read(changed, 'query')).toThrow('$skiptoken');
    }
    expect(() => tokens.read(token, 'query ')).toThrow('$skiptoken');
    expect(() => new SkipTokens(Buffer.alloc(32, 2)).read(token, 'query')).toThrow('$skiptoken');
  });
});
