import { describe, expect, it } from '@jest/globals';
import { circularIn } from './circles.js';

describe('a circle of successors', () => {
  const circular = (...pairs: [string, string][]): string[] => [...circularIn(new Map(pairs))].toSorted();

  it.each<[string, [string, string][], string[]]>([
    [
      'is none in a chain',
      [
        ['a', 'b'],
        ['b', 'c'],
      ],
      [],
    ],
    [
      'is none where two have the same successor',
      [
        ['a', 'c'],
        ['b', 'c'],
        ['c', 'd'],
      ],
      [],
    ],
    [
      'has all that come back to themselves',
      [
        ['a', 'b'],
        ['b', 'c'],
        ['c', 'a'],
      ],
      ['a', 'b', 'c'],
    ],
    [
      'has none of those that lead into it',
      [
        ['x', 'a'],
        ['a', 'b'],
        ['b', 'a'],
        ['y', 'x'],
      ],
      ['a', 'b'],
    ],
    [
      'is found beside others',
      [
        ['a', 'a'],
        ['x', 'y'],
        ['c', 'd'],
        ['d', 'c'],
      ],
      ['a', 'c', 'd'],
    ],
  ])('%s', (_, pairs, found) => {
    expect(circular(...pairs)).toEqual(found);
  });

  it('is looked for in linear time', () => {
    const chain = new Map(Array.from({ length: 200_000 }, (_, at) => [at, at + 1]));
    const begun = performance.now();
    expect(circularIn(chain).size).toBe(0);
    expect(performance.now() - begun).toBeLessThan(20_000); // under a second; hours if quadratic
  });
});
