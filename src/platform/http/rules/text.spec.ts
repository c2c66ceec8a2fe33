import { describe, expect, it } from '@jest/globals';
import { textFault } from './text.js';

const title = (text: unknown) => textFault(text, { max: 20 });

describe('text written by a person', () => {
  it.each(['Retail', 'مبيعات الربع', 'מכירות \u200f2026', '小売 📦'])('can be %j', (text) => {
    expect(title(text)).toBeUndefined();
  });

  it.each(['\u202eliater', 'a\u2067b', '\u202aa\u202c'])(
    'cannot be %j, which changes the direction of the text after it',
    (text) => {
      expect(title(text)).toBe('must not contain characters that change the text direction');
    },
  );

  it.each(['a\u0000b', 'a\nb', 'a\u007fb', 'a\u0080b', 'a\u0085b', '\u009b31m', 'a\u2028b', 'a\u2029b'])(
    'cannot be %j in a single line, because of a control character or line separator',
    (text) => {
      expect(title(text)).toBe('must be one line without control characters');
    },
  );

  it.each(['\u0000', '\u001b', '\u007f', '\u0080', '\u0085', '\u009f'])(
    'cannot contain %j in several lines',
    (control) => {
      const fault = textFault(`one\n${control}two`, { max: 50, multiline: true });
      expect(fault).toBe('must not contain control characters other than line breaks and tabs');
    },
  );

  it('can contain line and paragraph separators in several lines', () => {
    expect(textFault('one\u2028two\u2029three\r\n\tfour', { max: 50, multiline: true })).toBeUndefined();
  });

  it('can contain directional isolates in several lines if closed on the same line', () => {
    expect(textFault('מכירות: \u2066A-1\u2069\nGrüße', { max: 50, multiline: true })).toBeUndefined();
  });
});
