import { stdSerializers } from 'pino';
import { isDatabaseUnavailable, isDiskFull } from '../database/database-faults.js';

/** Milliseconds between identical log lines about a database outage: it is one event, not thousands. */
const INTERVAL_MS = 30_000;

const isOutage = (error: unknown): boolean => isDatabaseUnavailable(error) || isDiskFull(error);

/** Remembers which lines background work has recently logged about a database outage. */
export class OutageLines {
  private readonly writtenAt = new Map<string, number>();

  /**
   * Whether the line, `logger.warn({ err }, message)`, repeats a recent one. Lines of requests never do: they are looked up by
   * request id.
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

/** Formats an error for the log. An outage (database unreachable, disk full) needs no stack, since any query can encounter it. */
export function describeError(error: Error): object {
  if (!isOutage(error)) return stdSerializers.err(error);
  return { type: error.name, message: error.message, ...('code' in error && { code: error.code }) };
}
