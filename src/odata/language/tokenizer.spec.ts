import { describe, expect, it } from '@jest/globals';
import { tokenize } from './tokenizer.js';

const tokens = (text: string): string[] =>
  tokenize('$filter', text)
    .slice(0, -1)
    .map(({ kind, text: content }) => `${kind} ${content}`);

describe('the tokenizer', () => {
  it.each([
    ['1', ['number 1']],
    ['-1.5e-3', ['number -1.5e-3']],
    ['-INF', ['number -INF']],
    ['INFO', ['name INFO']],
    ['2025-01-31', ['date 2025-01-31']],
    ['2025-01-31T23:59Z', ['instant 2025-01-31T23:59Z']],
    ['2025-01-31T23:59:59.123+02:00', ['instant 2025-01-31T23:59:59.123+02:00']],
    ['2025-01-31T23:59:59.0000000 02:00', ['instant 2025-01-31T23:59:59.0000000+02:00']],
    ['2025-01-31T23:59:59.123456789012Z', ['instant 2025-01-31T23:59:59.123456789012Z']],
    ['019a8f3c-0000-7000-8000-00000000000b', ['guid 019a8f3c-0000-7000-8000-00000000000b']],
    ['deadbeef-0000-7000-8000-00000000000b', ['guid deadbeef-0000-7000-8000-00000000000b']],
    [`'it''s'''`, [`string it's'`]],
    [`''`, ['string ']],
    ['a eq(b)', ['name a', 'name eq', 'symbol (', 'name b', 'symbol )']],
    [' a\t/ b ', ['name a', 'symbol /', 'name b']],
    ['$count', ['name $count']],
    ['-y', ['symbol -', 'name y']],
  ])('tokenizes %s', (text, expected) => {
    expect(tokens(text)).toEqual(expected);
  });

  it('gives the position of each token', () => {
    expect(tokenize('$filter', ` a  'b'`).map(({ at }) => at)).toEqual([1, 4, 7]);
  });

  it.each([
    ['a # b', 'at character 3'],
    [`a eq 'b`, 'at character 6: a string is missing its closing quote'],
    ['12ab', 'at character 1'],
    ['a >= 1', 'at character 3: use the operators eq, ne, gt, ge, lt, le for comparisons'],
    ['a != 1', 'at character 3: use the operators eq, ne, gt, ge, lt, le for comparisons'],
    ['a eq "b"', 'at character 6: use single quotes for strings'],
    [
      'a ge 2026-01-31T00:00:00 and b',
      'at character 6: a date and time requires Z or an offset, such as 2026-01-31T00:00:00Z',
    ],
    ['a\u0000', 'NUL'],
    ['x'.repeat(8_001), '8000 characters'],
    ['🍵', '"🍵"'],
  ])('rejects %j', (text, reason) => {
    expect(() => tokenize('$filter', text)).toThrow(reason);
  });
});
