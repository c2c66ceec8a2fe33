import { stdSerializers } from 'pino';
import { isDatabaseAway, isDiskFull } from '../database/database-faults.js';

/** Milliseconds between two lines that say the same of an outage of the database: it is one event, not thousands. */
const INTERVAL = 30_000;

const isOutage = (error: unknown): boolean => isDatabaseAway(error) || isDiskFull(error);

/** Which lines of background work about an outage of the database have been written lately. */
export class OutageLines {
  private readonly writtenAt = new Map<string, number>();

  /** Whether the line, `logger.warn({ err }, message)`, says again what another has just said. */
  isRepeated([fields, message]: readonly unknown[]): boolean {
    if (typeof message !== 'string' || !isOutage((fields as { err?: unknown } | null)?.err)) return false;
    const now = performance.now();
    if (now - (this.writtenAt.get(message) ?? -INTERVAL) < INTERVAL) return true;
    this.writtenAt.set(message, now);
    return false;
  }
}

/** An error as the log has it: that the database is away, or its disk full, needs no stack, any query can tell it. */
export function describeError(error: Error): object {
  if (!isOutage(error)) return stdSerializers.err(error);
  return { type: error.name, message: error.message, ...('code' in error && { code: error.code }) };
}
