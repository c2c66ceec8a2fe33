import { describe, expect, it } from '@jest/globals';
import type { Logger } from '../../platform/logging/logger.js';
import { PlatformFault } from '../platform-fault.js';
import { catchMalformed } from './pull-page.js';
import { readAll } from './records.js';

describe('catchMalformed', () => {
  const logged: unknown[] = [];
  const logger = { warn: (fields: unknown) => logged.push(fields) } as unknown as Logger;
  const read = (answer: () => Promise<unknown>) => catchMalformed(logger, answer);

  it.each<[string, () => Promise<unknown>]>([
    ['a page', () => Promise.resolve().then(() => JSON.parse('no secret') as unknown)],
    ['more of a record', () => readAll(() => Promise.resolve(JSON.parse('no secret') as never))],
  ])('logs where %s was read, without the message, which may quote the response', async (_what, answer) => {
    logged.length = 0;
    await expect(read(answer)).rejects.toMatchObject({ kind: 'passing', code: 'malformed_reply' });
    expect(logged).toEqual([{ fault: 'SyntaxError', stack: expect.arrayContaining([expect.stringContaining('at ')]) }]);
    expect(JSON.stringify(logged)).not.toContain('secret');
  });

  it('logs nothing of a fault that the platform reports', async () => {
    logged.length = 0;
    const fault = PlatformFault.wait(1_000);
    await expect(read(() => Promise.reject(fault))).rejects.toBe(fault);
    expect(logged).toEqual([]);
  });
});
