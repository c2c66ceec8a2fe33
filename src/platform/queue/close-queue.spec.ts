import { describe, expect, it, jest } from '@jest/globals';
import { closeQueue } from './close-queue.js';

describe('closing a queue', () => {
  it('waits for it where its server answers', async () => {
    const disconnect = jest.fn<() => Promise<void>>();
    await closeQueue({ close: () => Promise.resolve(), disconnect }, 3_000);
    expect(disconnect).not.toHaveBeenCalled();
  });

  it('ends within seconds where its server is away', async () => {
    jest.useFakeTimers();
    const { promise: closed, resolve: goneWithTheConnection } = Promise.withResolvers<void>();
    const disconnect = jest.fn(() => Promise.resolve(goneWithTheConnection()));
    const closing = closeQueue({ close: () => closed, disconnect }, 3_000);
    await jest.advanceTimersByTimeAsync(3_000);
    await closing;
    expect(disconnect).toHaveBeenCalledTimes(1);
    jest.useRealTimers();
  });
});
