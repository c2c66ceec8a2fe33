import { describe, expect, it } from '@jest/globals';
import { parseJsonBody } from './json-body.js';
import type { Problem } from '../problem.js';

function faultOf(body: Buffer): string | undefined {
  try {
    parseJsonBody(body);
    return undefined;
  } catch (error) {
    return (error as Problem).options.errors?.[0]?.message;
  }
}
const members = (count: number): string => `{${Array.from({ length: count }, (_, i) => `"m${i}":1`).join(',')}}`;
const list = (count: number): string => `{"ids":[${Array.from({ length: count }, (_, i) => `"${i}"`).join(',')}]}`;

describe('a JSON body', () => {
  it('is refused in any encoding but UTF-8, since letters would be lost', () => {
    expect(faultOf(Buffer.from('{"title":"Café"}', 'latin1'))).toBe('is not valid UTF-8');
  });

  it('can list as many series as a run accepts', () => {
    expect(parseJsonBody(Buffer.from(list(10_000)))).toMatchObject({ ids: { length: 10_000 } });
  });

  it('can start with a byte order mark', () => {
    expect(parseJsonBody(Buffer.from('\uFEFF{"title":"Café"}'))).toEqual({ title: 'Café' });
  });

  it.each([
    ['too many members to validate', members(1_001), 'must not contain more than 1000 members in one object'],
    ['more values than any route accepts', list(20_000), 'must not contain more than 20000 values'],
    ['many small objects', `[${'{"a":1},'.repeat(10_000)}{}]`, 'must not contain more than 20000 values'],
    ['a member that would be dropped silently', '{"a":{"__proto__":1}}', 'must not have a member named __proto__'],
    ['null', 'null', 'must be a JSON object'],
    ['a string', '"Café"', 'must be a JSON object'],
    ['a number', '5', 'must be a JSON object'],
    ['an array', '[{"title":"Café"}]', 'must be a JSON object'],
    ['a trailing comma', '{"a":1,}', 'is not valid JSON at position 7 (line 1 column 8)'],
    ['invalid text that might be a password', '{"password": tell}', 'is not valid JSON'],
    ['nesting beyond the stack limit', '['.repeat(100_000) + ']'.repeat(100_000), 'is not valid JSON'],
  ])('is refused with %s', (_what, text, message) => {
    expect(faultOf(Buffer.from(text))).toBe(message);
  });
});
