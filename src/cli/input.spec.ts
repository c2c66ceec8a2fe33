import { describe, expect, it } from '@jest/globals';
import { emailOption, nameOption } from './input.js';

describe('options of the command line', () => {
  it('takes the names that the application takes, without the blanks around them', () => {
    const name = nameOption('--name', 5);
    expect(name(' Acme ')).toBe('Acme');
    expect(name('📦📦📦📦📦')).toBe('📦📦📦📦📦');
    for (const blank of ['', ' ', '\u200b']) expect(() => name(blank)).toThrow('--name must not be blank');
    expect(() => name('Acme 2')).toThrow('--name must have 1 to 5 characters');
    expect(() => name('A\nB')).toThrow('--name must be one line without control characters');
  });

  it('takes the addresses that the application takes, in lower case', () => {
    expect(emailOption(' Ada@Example.com ')).toBe('ada@example.com');
    for (const text of [
      'ada',
      `${'a'.repeat(64)}@${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.${'e'.repeat(20)}.com`,
    ])
      expect(() => emailOption(text)).toThrow('is not an email address');
  });
});
