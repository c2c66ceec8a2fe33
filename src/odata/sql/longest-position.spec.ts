import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { SkipTokens } from '../skip-token.js';
import type { Position } from './keyset.js';
import { longestPosition } from './longest-position.js';
import type { TypedSql, ValueType } from './typed-sql.js';

const tokens = new SkipTokens(Buffer.alloc(32, 1));
const term = (type: ValueType, longest?: number) => {
  const value: TypedSql = { sql: '', type, nullable: true, longest };
  return { value, descending: false };
};
const ID = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
/** Deterministic pseudorandom bytes. */
const noise = (bytes: number, seed: string): Buffer =>
  createHash('shake256', { outputLength: bytes }).update(seed).digest();
const text = (length: number, [least, most]: readonly [number, number], seed = ''): string => {
  const drawn = noise(4 * length, seed);
  return Array.from({ length }, (_, at) =>
    String.fromCodePoint(least + (drawn.readUInt32LE(4 * at) % (most - least))),
  ).join('');
};

describe('the longest position of an ordering', () => {
  it.each([
    ['Latin', [0x20, 0x7f]],
    ['Cyrillic', [0x400, 0x500]],
    ['Chinese', [0x4e00, 0x9fff]],
    ['emoji', [0x1_f300, 0x1_f700]],
  ] as const)(
    'needs at least as much of a token as any position, also for texts in %s, with options of any length',
    (_script, range) => {
      const terms = [term('string', 500), term('string'), term('double'), term('instant'), term('guid')];
      for (const characters of [0, 1_000, 6_000, 9_000]) {
        const options = { $filter: noise(characters, 'filter').toString('base64url').slice(0, characters) };
        const issued = (position: Position) =>
          tokens.issue({ position, remaining: null, options, asOf: null }, 'audience').length;
        const values = ['0.8414709848078965', '2026-11-22 06:42:04.123456+00', ID];
        expect(issued([text(500, range), text(255, range), ...values])).toBeLessThanOrEqual(
          issued(longestPosition(terms)),
        );
      }
    },
  );

  it('leaves room for positions that compress worse although shorter', () => {
    const any = [0x1_0000, 0x10_ffff] as const;
    for (let trial = 0; trial < 300; trial += 1) {
      const names = Array.from(
        { length: 1 + ((trial * 37) % 299) },
        (_, at) => `'${text(1 + ((trial + 7 * at) % 29), [0x4e00, 0x9fff], `${trial} ${at}`)}'`,
      );
      const options = { $filter: `unique_id in (${names.join(',')})` };
      const page = (position: Position) => ({ position, remaining: null, options, asOf: null });
      const token = tokens.issue(page([text(255, any, String(trial)), ID]), 'audience');
      const longest = tokens.longest(page(longestPosition([term('string', 255), term('guid')])), 'audience');
      expect(token.length).toBeLessThanOrEqual(longest);
    }
  });
});
