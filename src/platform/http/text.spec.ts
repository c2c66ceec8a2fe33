import { describe, expect, it } from '@jest/globals';
import { textFault } from './text.js';

const title = (text: unknown) => textFault(text, { max: 20 });

describe('a text written by a person', () => {
  it.each(['Retail', 'مبيعات الربع', 'מכירות \u200f2026', '小売 📦'])('takes %j', (text) => {
    expect(title(text)).toBeUndefined();
  });

  it.each(['\u202eliater', 'a\u2067b', '\u202aa\u202c'])(
    'refuses %j, which turns the direction of what stands behind it',
    (text) => {
      expect(title(text)).toBe('must not hold characters that change the direction of writing');
    },
  );

  it('takes in several lines what ends with its line', () => {
    expect(textFault('מכירות: \u2066A-1\u2069\nGrüße', { max: 50, multiline: true })).toBeUndefined();
  });
});
