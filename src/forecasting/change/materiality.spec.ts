import { describe, expect, it } from '@jest/globals';
import { isMaterial } from './materiality.js';
import { DEFAULT_CHANGE_OPTIONS } from './types.js';

describe('isMaterial', () => {
  const options = { ...DEFAULT_CHANGE_OPTIONS, minimumChange: 0.2 };

  it.each([
    ['the smallest share', 20, 100, true],
    ['a smaller share', 19.9, 100, false],
    ['the minimum number of pieces', 5, 10, true],
    ['fewer pieces, though a large share', 4.9, 10, false],
    ['a change in the opposite direction', -50, 100, false],
  ])('for %s (%d of %d): %p', (_, size, expected, told) => {
    expect(isMaterial(size, expected, options, 5)).toBe(told);
  });

  it('is false when nothing changed and nothing was expected', () => {
    expect(isMaterial(0, 0, options, 0)).toBe(false);
  });
});
