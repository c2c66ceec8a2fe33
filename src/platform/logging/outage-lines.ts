import { stdSerializers } from 'pino';
import { isDatabaseUnavailable, isDiskFull } from '../database/database-faults.js';
import { Throttle } from './throttle.js';

/** Milliseconds between identical log lines about a database outage: it is one event, not thousands. */
const INTERVAL_MS = 30_000;

/** Whether the database cannot be used by anybody at the moment, as opposed to a fault of one statement. */
export const isOutage = (error: unknown): boolean => isDatabaseUnavailable(error) || isDiskFull(error);

/** Remembers which lines were recently logged about a database outage, by background work or for requests. */
export class OutageLines {
  private readonly throttles = new Map<string, Throttle>();

  /** Whether the line, `logger.warn({ err }, message)`, repeats a recent one. */
  isRepeated([fields, message]: readonly unknown[]): boolean {
    const { err } = (fields ?? {}) as { err?: unknown };
    if (typeof message !== 'string' || !isOutage(err)) return false;
    const throttle = this.throttles.get(message) ?? new Throttle(INTERVAL_MS);
    this.throttles.set(message, throttle);
    return !throttle.pass();
  }
}

/** Formats an error for the log. An outage (database unreachable, disk full) needs no stack, since any query can encounter it. */
export function describeError(error: Error): object {
  if (!isOutage(error)) return stdSerializers.err(error);
  return { type: error.name, message: error.message, ...('code' in error && { code: error.code }) };
}
