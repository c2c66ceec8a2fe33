import { describe, expect, it } from '@jest/globals';
import { negotiate } from './accept.js';

describe('negotiate', () => {
  const chosen = (accept: string | undefined): string => negotiate(accept, ['application/json', 'text/csv']);

  it.each([
    [undefined, 'application/json'],
    ['', 'application/json'],
    [' ', 'application/json'],
    ['*/*', 'application/json'],
    ['text/csv', 'text/csv'],
    ['text/csv; charset=utf-8', 'text/csv'],
    ['application/json;odata=verbose', 'application/json'],
    ['application/json ; charset="utf-8" ; q=0.2, text/csv;header=present; q=0.5', 'text/csv'],
    ['text/csv;q=0.2;charset=utf-8, application/json', 'application/json'],
    ['text/html, text/*;q=0.1', 'text/csv'],
  ])('answers Accept: %s with %s', (accept, type) => {
    expect(chosen(accept)).toBe(type);
  });

  it.each(['text/html', 'application/json;charset=utf-8;q=0'])('refuses Accept: %s', (accept) => {
    expect(() => chosen(accept)).toThrow('not_acceptable');
  });
});
