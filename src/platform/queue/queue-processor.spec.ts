import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Worker } from 'bullmq';
import type { Logger } from '../logging/logger.js';
import { QueueProcessor } from './queue-processor.js';

/** A processor of a queue to which the test breaks the connection. */
class CutOff extends QueueProcessor {
  readonly connection = Object.assign(new EventEmitter(), { name: 'runs', waitUntilReady: () => Promise.resolve() });

  override get worker(): Worker {
    return this.connection as unknown as Worker;
  }

  process(): Promise<void> {
    return Promise.resolve();
  }
}

describe('a queue processor', () => {
  const warn = jest.fn();
  let processor: CutOff;
  let now: number;
  beforeEach(async () => {
    now = 3_000;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    warn.mockClear();
    processor = new CutOff({ warn } as unknown as Logger);
    await processor.onApplicationBootstrap();
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  const fail = (): boolean => processor.connection.emit('error', new Error('connect ECONNREFUSED'));

  it('reports an outage in the first seconds of the process', () => {
    fail();
    expect(warn).toHaveBeenCalledTimes(1);
  });

  it('reports an outage of many errors every ten seconds', () => {
    fail();
    now += 9_000;
    fail();
    expect(warn).toHaveBeenCalledTimes(1);
    now += 1_000;
    fail();
    expect(warn).toHaveBeenCalledTimes(2);
  });
});
