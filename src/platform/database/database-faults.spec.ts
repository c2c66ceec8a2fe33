import { describe, expect, it } from '@jest/globals';
import { isDatabaseUnavailable, isRefused } from './database-faults.js';

const fault = (fields: object): Error => Object.assign(new Error('a fault'), fields);

describe('a database is unavailable', () => {
  it.each(['EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL'])(
    'when there is no route to it: %s, reported without `syscall` for a host name with several addresses',
    (code) => expect(isDatabaseUnavailable(fault({ code }))).toBe(true),
  );

  it.each(['ENOENT', 'EMFILE', 'ENFILE'])(
    'when its Unix socket does not exist, or no more connections may be opened: %s, but not of any other file',
    (code) => {
      expect(isDatabaseUnavailable(fault({ code, syscall: 'connect' }))).toBe(true);
      expect(isDatabaseUnavailable(fault({ code, syscall: 'open' }))).toBe(false);
    },
  );

  it('when it admits no session, but not when a statement lacks a privilege', () => {
    expect(isDatabaseUnavailable(fault({ code: '42501', routine: 'CheckMyDatabase' }))).toBe(true);
    expect(isDatabaseUnavailable(fault({ code: '42501', routine: 'aclcheck_error' }))).toBe(false);
  });

  it('but not refusing the service when it only has too many sessions', () => {
    const full = fault({ code: '53300', routine: 'CheckMyDatabase' });
    expect([isDatabaseUnavailable(full), isRefused(full)]).toEqual([true, false]);
  });
});
