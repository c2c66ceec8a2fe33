import { describe, expect, it } from '@jest/globals';
import { shortened } from './shortened.js';

describe('shortened', () => {
  it('leaves text that fits and ends longer text with an ellipsis within the width', () => {
    expect(shortened('Mug', 3)).toBe('Mug');
    expect(shortened('Mugs', 3)).toBe('Mu…');
    expect(shortened('', 3)).toBe('');
  });

  it('counts wide characters as two', () => {
    expect(shortened('株式会社', 8)).toBe('株式会社');
    expect(shortened('株式会社', 7)).toBe('株式会…');
    expect(shortened('株式会社', 6)).toBe('株式…');
  });

  it('never splits a character', () => {
    expect(shortened('e\u0301e\u0301e\u0301', 2)).toBe('e\u0301…');
    expect(shortened('👩‍👩‍👧👩‍👩‍👧', 3)).toBe('👩‍👩‍👧…');
  });
});
