import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { listenOn, unavailable } from './port.js';

describe('a port that cannot be bound', () => {
  const messageFor = (setting: 'PORT' | 'METRICS_PORT', code: string): string =>
    unavailable(setting, '10.0.0.1', 80, Object.assign(new Error(code), { code })).message;

  it.each([
    ['PORT', 'EADDRINUSE', 'port 80 on 10.0.0.1 is already in use; stop the process that uses it, or set PORT'],
    [
      'METRICS_PORT',
      'EADDRINUSE',
      'port 80 on 10.0.0.1 is already in use; stop the process that uses it, or set METRICS_PORT',
    ],
    [
      'PORT',
      'EACCES',
      'port 80 on 10.0.0.1 requires a privilege that this account does not have; set PORT, usually to 1024 or higher',
    ],
    [
      'METRICS_PORT',
      'EADDRNOTAVAIL',
      'port 80 on 10.0.0.1 cannot be used: this machine has no such address; set METRICS_HOST',
    ],
    ['PORT', 'ENOTFOUND', 'port 80 on 10.0.0.1 cannot be used: this machine has no such address; set HOST'],
    ['PORT', 'EMFILE', 'port 80 on 10.0.0.1 cannot be used (EMFILE); set PORT'],
  ] as const)('for %s and %s is reported with the setting to change', (setting, code, message) => {
    expect(messageFor(setting, code)).toBe(message);
  });

  it('is reported with the setting even if it was taken after the check', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const late = { listen: (at: number, host: string) => once(createServer().listen(at, host), 'listening') };
    await expect(listenOn(late, '127.0.0.1', port)).rejects.toThrow(
      `port ${port} on 127.0.0.1 is already in use; stop the process that uses it, or set PORT`,
    );
    other.close();
  });

  it('is not blamed for other errors', async () => {
    const fault = new Error('a module could not begin');
    await expect(listenOn({ listen: () => Promise.reject(fault) }, '127.0.0.1', 80)).rejects.toBe(fault);
  });
});
