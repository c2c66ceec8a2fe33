import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Lifecycle } from '../../platform/lifecycle.js';
import type { Logger } from '../../platform/logging/logger.js';
import { AfterReply } from './after-reply.js';

describe('work after a reply', () => {
  let lifecycle: Lifecycle;
  let afterReply: AfterReply;
  const error = jest.fn();
  let done: boolean;
  const work = async () => {
    await new Promise((resolve) => setTimeout(resolve, 5));
    done = true;
  };
  beforeEach(() => {
    done = false;
    error.mockClear();
    lifecycle = new Lifecycle();
    afterReply = new AfterReply(lifecycle, { error } as unknown as Logger);
  });

  it('does not delay the reply and is awaited on shutdown', async () => {
    await afterReply.run('test', work);
    expect(done).toBe(false);
    await afterReply.beforeApplicationShutdown();
    expect(done).toBe(true);
  });

  it('runs before the reply during shutdown', async () => {
    lifecycle.markDraining();
    await afterReply.beforeApplicationShutdown(); // requests that were cut off may still be running
    await afterReply.run('test', work);
    expect(done).toBe(true);
  });

  it('never fails the request', async () => {
    const fault = new Error('no such table');
    await afterReply.run('test', () => Promise.reject(fault));
    lifecycle.markDraining();
    await afterReply.run('test', () => Promise.reject(fault));
    await afterReply.beforeApplicationShutdown();
    expect(error.mock.calls).toEqual([
      [{ err: fault, work: 'test' }, 'work after a response failed'],
      [{ err: fault, work: 'test' }, 'work after a response failed'],
    ]);
  });
});
