import { describe, expect, it } from '@jest/globals';
import { isDatabaseUnavailable, isRefused } from './database-faults.js';

const fault = (fields: object): Error => Object.assign(new Error('a fault'), fields);

describe('a database counts as away', () => {
  it.each(['EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL'])(
    'where no way leads to it: %s, which the fault of a name with several addresses tells without `syscall`',
    (code) => expect(isDatabaseUnavailable(fault({ code }))).toBe(true),
  );

  it('where its Unix socket does not exist, and not for a file that does not', () => {
    expect(isDatabaseUnavailable(fault({ code: 'ENOENT', syscall: 'connect' }))).toBe(true);
    expect(isDatabaseUnavailable(fault({ code: 'ENOENT', syscall: 'open' }))).toBe(false);
  });

  it('where it admits no session, and not where a statement lacks a right', () => {
    expect(isDatabaseUnavailable(fault({ code: '42501', routine: 'CheckMyDatabase' }))).toBe(true);
    expect(isDatabaseUnavailable(fault({ code: '42501', routine: 'aclcheck_error' }))).toBe(false);
  });

  it('but lets the service in, where it only has too many sessions', () => {
    const full = fault({ code: '53300', routine: 'CheckMyDatabase' });
    expect([isDatabaseUnavailable(full), isRefused(full)]).toEqual([true, false]);
  });
});
