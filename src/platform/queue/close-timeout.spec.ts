import { afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createRedisBackend, Queue, setDefaultBackendFactory, Worker } from 'bullmq';
import type { Logger } from '../logging/logger.js';
import { withCloseTimeout } from './close-timeout.js';

const INFO = 'redis_version:7.4.0\r\nmaxmemory_policy:noeviction';

/** The subset of Redis needed by a queue without jobs. */
class FakeRedis {
  private readonly sockets = new Set<Socket>();
  frozen = false;
  waitsForJobs: (() => void) | undefined;
  private server: Server | undefined;

  async listen(): Promise<number> {
    this.server = createServer((socket) => {
      this.sockets.add(socket);
      socket.on('error', () => undefined).on('close', () => this.sockets.delete(socket));
      socket.on('data', (sent) => {
        if (this.frozen) return;
        for (const [, command = ''] of String(sent).matchAll(/\*\d+\r\n\$\d+\r\n(\w+)/g)) {
          if (command === 'info') socket.write(`$${INFO.length}\r\n${INFO}\r\n`);
          else if (command === 'quit') socket.end('+OK\r\n');
          else if (command === 'evalsha') socket.write('*4\r\n:0\r\n:0\r\n:0\r\n:0\r\n'); // no jobs
          else if (command === 'bzpopmin') this.waitsForJobs?.();
          else socket.write('$-1\r\n');
        }
      });
    }).listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return (this.server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    const closed = once(this.server!, 'close');
    this.server!.close();
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }
}

describe('a queue', () => {
  const redis = new FakeRedis();
  const warn = jest.fn();
  const logger = { warn } as unknown as Logger;
  let connection: { host: string; port: number; maxRetriesPerRequest: null; retryStrategy: () => null };
  beforeAll(() => setDefaultBackendFactory(createRedisBackend));
  beforeEach(async () => {
    warn.mockReset();
    redis.frozen = false;
    const port = await redis.listen();
    connection = { host: '127.0.0.1', port, maxRetriesPerRequest: null, retryStrategy: () => null };
  });
  afterEach(() => redis.stop());

  const opened: Readonly<Record<string, () => Promise<{ close(): Promise<void> }>>> = {
    Worker: async () => {
      const waiting = new Promise<void>((resolve) => (redis.waitsForJobs = resolve));
      const LeavableWorker = withCloseTimeout(Worker, logger);
      const worker = new LeavableWorker('runs', () => Promise.resolve(), { connection, drainDelay: 0.1 });
      worker.on('error', () => undefined);
      await waiting;
      return worker;
    },
    Queue: async () => {
      const LeavableQueue = withCloseTimeout(Queue, logger);
      const queue = new LeavableQueue('runs', { connection });
      queue.on('error', () => undefined);
      await queue.waitUntilReady();
      return queue;
    },
  };

  it.each(Object.keys(opened))('abandons its %s when Redis does not answer', async (left) => {
    const one = await opened[left]!();
    redis.frozen = true;
    await one.close();
    expect(warn).toHaveBeenCalledWith({ queue: 'runs', left }, expect.stringContaining('no work is lost'));
  });

  it.each(Object.keys(opened))('closes its %s silently when Redis answers', async (left) => {
    const one = await opened[left]!();
    await one.close();
    expect(warn).not.toHaveBeenCalled();
  });
});
