import { describe, expect, it } from '@jest/globals';
import { printable } from './printable.js';

const latin = (code: number): boolean => code < 0x250;

describe('text of a report', () => {
  it('stays as it is where the font has every character', () => {
    expect(printable('Café Zürich', latin)).toEqual({ shown: 'Café Zürich', actual: undefined });
  });

  it('is composed first: fonts have é and not e with an accent', () => {
    expect(printable('Cafe\u0301', (code) => code !== 0x301)).toEqual({ shown: 'Café', actual: 'Cafe\u0301' });
  });

  it('shows what the font lacks as code points, a run together', () => {
    expect(printable('株式 Acme 😀', latin)).toEqual({
      shown: '[U+682A U+5F0F] Acme [U+1F600]',
      actual: '株式 Acme 😀',
    });
  });

  it('keeps words written from right to left in one piece, and a space between them and what follows', () => {
    expect(printable('Acme שלום עולם Ltd', () => true)).toEqual({
      shown: 'Acme שלום\u2004עולם  Ltd',
      actual: 'Acme שלום עולם Ltd',
    });
    expect(printable('شركة النور', () => true).shown).toBe('شركة\u2004النور');
    expect(printable('شركة', () => true)).toEqual({ shown: 'شركة', actual: undefined });
  });
});
