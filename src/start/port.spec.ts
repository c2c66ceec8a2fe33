import { describe, expect, it } from '@jest/globals';
import { unavailable } from './port.js';

describe('a port that cannot be listened on', () => {
  const told = (setting: 'PORT' | 'METRICS_PORT', code: string): string =>
    unavailable(setting, '10.0.0.1', 80, Object.assign(new Error(code), { code })).message;

  it.each([
    ['PORT', 'EADDRINUSE', 'port 80 on 10.0.0.1 is already in use; stop what holds it or set PORT'],
    ['METRICS_PORT', 'EADDRINUSE', 'port 80 on 10.0.0.1 is already in use; stop what holds it or set METRICS_PORT'],
    ['PORT', 'EACCES', 'port 80 on 10.0.0.1 needs a right that this account lacks; set PORT, mostly to 1024 or more'],
    [
      'METRICS_PORT',
      'EADDRNOTAVAIL',
      'port 80 on 10.0.0.1 cannot be listened on: this machine has no such address; set METRICS_HOST',
    ],
    ['PORT', 'ENOTFOUND', 'port 80 on 10.0.0.1 cannot be listened on: this machine has no such address; set HOST'],
    ['PORT', 'EMFILE', 'port 80 on 10.0.0.1 cannot be listened on (EMFILE); set PORT'],
  ] as const)('for %s and %s is told with the setting to change', (setting, code, message) => {
    expect(told(setting, code)).toBe(message);
  });
});
