import { describe, expect, it } from '@jest/globals';
import { isMaterial } from './materiality.js';

describe('isMaterial', () => {
  const options = { minimumChange: 0.2, minimumUnits: 5 };

  it.each([
    ['the smallest share', 20, 100, true],
    ['a smaller share', 19.9, 100, false],
    ['the minimum number of pieces', 5, 10, true],
    ['fewer pieces, though a large share', 4.9, 10, false],
    ['a change in the opposite direction', -50, 100, false],
  ])('for %s (%d of %d): %p', (_, size, expected, told) => {
    expect(isMaterial(size, expected, options)).toBe(told);
  });

  it('is false when nothing changed and nothing was expected', () => {
    expect(isMaterial(0, 0, { ...options, minimumUnits: 0 })).toBe(false);
  });
});
