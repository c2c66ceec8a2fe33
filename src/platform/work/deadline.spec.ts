import { describe, expect, it, jest } from '@jest/globals';
import { within } from './deadline.js';

describe('work with a deadline', () => {
  it('is not awaited after the deadline, and never sets a negative timeout', async () => {
    const timers = jest.spyOn(globalThis, 'setTimeout');
    const never = new Promise<never>(() => undefined);
    expect(await within(-5, never)).toBeUndefined();
    expect(timers.mock.calls.map(([, milliseconds]) => milliseconds)).toEqual([0]);
    timers.mockRestore();
  });
});
