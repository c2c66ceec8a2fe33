import { describe, expect, it } from '@jest/globals';
import { printable } from './printable.js';

const latin = (code: number): boolean => code < 0x250;

describe('report text', () => {
  it('is unchanged when the font has every character', () => {
    expect(printable('Café Zürich', latin)).toEqual({ shown: 'Café Zürich', actual: undefined });
  });

  it('is composed first, since fonts contain é but not e with a combining accent', () => {
    expect(printable('Cafe\u0301', (code) => code !== 0x301)).toEqual({ shown: 'Café', actual: 'Cafe\u0301' });
  });

  it('shows characters missing from the font as code points, one group per run', () => {
    expect(printable('株式 Acme 😀', latin)).toEqual({
      shown: '[U+682A U+5F0F] Acme [U+1F600]',
      actual: '株式 Acme 😀',
    });
  });

  it('keeps right-to-left words in one piece and separated by a space from what follows', () => {
    expect(printable('Acme שלום עולם Ltd', () => true)).toEqual({
      shown: 'Acme שלום\u2004עולם  Ltd',
      actual: 'Acme שלום עולם Ltd',
    });
    expect(printable('شركة النور', () => true).shown).toBe('شركة\u2004النور');
    expect(printable('شركة', () => true)).toEqual({ shown: 'شركة', actual: undefined });
  });

  it.each(['תל-אביב', 'ח.נ', 'א/ב', 'می\u200cخواهم'])('keeps %s in one piece, marks included', (text) => {
    expect(printable(text, () => true).shown).toBe(text);
  });

  it('keeps the words of a list in one piece', () => {
    expect(printable('תל-אביב, חיפה & ערד', () => true).shown).toBe('תל-אביב,\u2004חיפה\u2004&\u2004ערד');
    expect(printable('بغداد، البصرة', () => true).shown).toBe('بغداد،\u2004البصرة');
  });

  it('turns the digits of a right-to-left word around, since the word is', () => {
    expect(printable('شرکت۱۴۰۵', () => true)).toEqual({ shown: 'شرکت۵۰۴۱', actual: 'شرکت۱۴۰۵' });
    expect(printable('مصنع٢٠٢٦', () => true).shown).toBe('مصنع٦٢٠٢');
  });

  it('parts right-to-left words from other digits, Latin letters and brackets next to them, which would be turned around', () => {
    expect(printable('مدير@example.com', () => true).shown).toBe('مدير @example.com');
    expect(printable('Acme (שלום עולם), 2020שנת', () => true).shown).toBe('Acme ( שלום\u2004עולם ), 2020 שנת');
    expect(printable('צה"ל ג\'ירפה', () => true).shown).toBe('צה"ל\u2004ג\'ירפה');
    expect(printable('كتـــاب', () => true).actual).toBeUndefined();
  });
});
