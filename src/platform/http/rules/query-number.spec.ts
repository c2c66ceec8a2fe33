import { describe, expect, it } from '@jest/globals';
import { plainToInstance } from 'class-transformer';
import { QueryNumber } from './query-number.js';

class Query {
  @QueryNumber()
  number!: unknown;
}
const read = (number: string): unknown => plainToInstance(Query, { number }).number;

describe('a number in a query', () => {
  it.each([
    ['1', 1],
    ['-1.5', -1.5],
    ['1.', 1],
    ['.5', 0.5],
    ['2.5e-1', 0.25],
    ['1E3', 1_000],
  ])('can be written as %s', (text, number) => expect(read(text)).toBe(number));

  it.each(['', '.', '-', '+1', '1,5', '1e', '0x10', ' 1', '1 ', 'NaN', 'Infinity'])(
    'cannot be written as "%s"',
    (text) => expect(read(text)).toBe(text),
  );

  it('is rejected in linear time', () => {
    const begun = performance.now();
    const text = `${'1'.repeat(200_000)}x`;
    expect(read(text)).toBe(text);
    expect(performance.now() - begun).toBeLessThan(10_000); // a millisecond; a minute if quadratic
  });
});
