import { stdSerializers } from 'pino';
import { isDatabaseAway, isDiskFull } from '../database/database-faults.js';

/** Milliseconds between two equal log lines about an outage of the database: it is one event, not thousands. */
const INTERVAL_MS = 30_000;

const isOutage = (error: unknown): boolean => isDatabaseAway(error) || isDiskFull(error);

/** Remembers which lines about an outage of the database background work has written lately. */
export class OutageLines {
  private readonly writtenAt = new Map<string, number>();

  /**
   * Whether the line, `logger.warn({ err }, message)`, repeats one that was just written. One of a request does not: it is looked
   * for by its id.
   */
  isRepeated([fields, message]: readonly unknown[]): boolean {
    const { err, request_id } = (fields ?? {}) as { err?: unknown; request_id?: unknown };
    if (typeof message !== 'string' || request_id !== undefined || !isOutage(err)) return false;
    const now = performance.now();
    if (now - (this.writtenAt.get(message) ?? -INTERVAL_MS) < INTERVAL_MS) return true;
    this.writtenAt.set(message, now);
    return false;
  }
}

/** An error for the log. An outage (database away, disk full) needs no stack, since any query can meet it. */
export function describeError(error: Error): object {
  if (!isOutage(error)) return stdSerializers.err(error);
  return { type: error.name, message: error.message, ...('code' in error && { code: error.code }) };
}
