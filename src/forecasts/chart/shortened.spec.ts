import { describe, expect, it } from '@jest/globals';
import { shortened } from './shortened.js';

describe('shortened', () => {
  it('leaves what fits and ends what does not with an ellipsis within the room', () => {
    expect(shortened('Mug', 3)).toBe('Mug');
    expect(shortened('Mugs', 3)).toBe('Mu…');
    expect(shortened('', 3)).toBe('');
  });

  it('gives wide characters the room of two', () => {
    expect(shortened('株式会社', 8)).toBe('株式会社');
    expect(shortened('株式会社', 7)).toBe('株式会…');
    expect(shortened('株式会社', 6)).toBe('株式…');
  });

  it('cuts no character apart', () => {
    expect(shortened('e\u0301e\u0301e\u0301', 2)).toBe('e\u0301…');
    expect(shortened('👩‍👩‍👧👩‍👩‍👧', 3)).toBe('👩‍👩‍👧…');
  });
});
