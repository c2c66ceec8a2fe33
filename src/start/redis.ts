import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '../platform/faults.js';

const ATTEMPTS = 20;
const PAUSE_MS = 500;
/** Milliseconds for a connection or a reply. */
const PATIENCE_MS = 3_000;

/** Redis is unusable; the message is one line for the operator. */
export class RedisUnusableError extends Error {
  override readonly name = 'RedisUnusableError';
}

/**
 * Fails early if Redis is unreachable or rejects the login, for which the queue would silently wait. Retries, in case both start at
 * once.
 */
export async function checkRedis(url: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const fault = await ping(url);
    if (!fault) return;
    const passes = /ECONN|ETIMEDOUT|timed out|EAI_AGAIN|LOADING/.test(fault);
    if (attempt === ATTEMPTS || !passes) {
      const { hostname, port } = new URL(url);
      throw new RedisUnusableError(
        `Redis at ${hostname}:${port || 6379} cannot be used: ${fault}; start it, correct REDIS_URL, or unset REDIS_URL to run the queue on PostgreSQL`,
      );
    }
    await sleep(PAUSE_MS);
  }
}

/** Why Redis does not respond to a command; undefined if it does. */
async function ping(url: string): Promise<string | undefined> {
  const { Redis } = await import('ioredis'); // not loaded where the queue is in PostgreSQL
  const client = new Redis(url, {
    lazyConnect: true,
    connectTimeout: PATIENCE_MS,
    commandTimeout: PATIENCE_MS,
    enableReadyCheck: false, // it would wait for a server that is loading; the command reports that
    retryStrategy: () => null,
  });
  let fault: Error | undefined; // the promises only report that the connection is closed
  client.on('error', (error: Error) => (fault = error));
  try {
    await client.connect();
    await client.ping();
    return undefined;
  } catch (error) {
    const message = messageOf(error);
    return message === 'Connection is closed.' ? (fault?.message ?? message) : message;
  } finally {
    client.disconnect();
  }
}
