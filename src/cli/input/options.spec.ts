import { describe, expect, it } from '@jest/globals';
import { daysOption, emailOption, monthOption, nameOption, rangeOption, sequenceOption } from './options.js';

describe('command-line options', () => {
  it('accept the same names as the application, trimmed', () => {
    const name = nameOption('--name', 5);
    expect(name(' Acme ')).toBe('Acme');
    expect(name('📦📦📦📦📦')).toBe('📦📦📦📦📦');
    for (const blank of ['', ' ', '\u200b']) expect(() => name(blank)).toThrow('--name must not be blank');
    expect(() => name('Acme 2')).toThrow('--name must have 1 to 5 characters');
    expect(() => name('A\nB')).toThrow('--name must be one line without control characters');
  });

  it('accept the same addresses as the application, lowercased', () => {
    expect(emailOption(' Ada@Example.com ')).toBe('ada@example.com');
    for (const text of [
      'ada',
      '"a\nb"@example.com',
      '"\u001b]0;a\u0007"@example.com',
      'a\u202eb@example.com',
      `${'a'.repeat(64)}@${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.${'e'.repeat(20)}.com`,
    ])
      expect(() => emailOption(text)).toThrow('is not an email address');
  });

  it('accept integers written in digits only, and name the option and its bounds otherwise', () => {
    expect([daysOption('1'), daysOption('3650'), sequenceOption('0'), sequenceOption('2147483647')]).toEqual([
      ...[1, 3_650, 0, 2_147_483_647],
    ]);
    for (const text of ['0', '3651', '1e2', '0x10', ' 7', '7 ', '+7', '7.0', '', '1'.repeat(400)])
      expect(() => daysOption(text)).toThrow('--expires-in-days must be a whole number from 1 to 3650, not "');
    for (const text of ['-1', '2147483648', '1e2'])
      expect(() => sequenceOption(text)).toThrow('--after must be a whole number from 0 to 2147483647, not "');
  });

  it('accept a month, and collect the ranges of an option that is repeated', () => {
    expect(monthOption('2026-09')).toBe('2026-09-01');
    for (const text of ['2026-13', '2026-00', '0026-09', '2026-9', '2026-09-01'])
      expect(() => monthOption(text)).toThrow('--month must be a month such as 2026-09');
    expect(rangeOption('10.1.2.3/8', rangeOption('192.0.2.1'))).toEqual(['192.0.2.1/32', '10.0.0.0/8']);
  });
});
