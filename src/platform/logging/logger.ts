import { isNativeError } from 'node:util/types';
import type { LoggerService } from '@nestjs/common';
import { type DestinationStream, type Logger, pino } from 'pino';
import type { Settings } from '../../../config/settings.js';
import { censored } from './censored.js';
import { describeError, OutageLines } from './outage-lines.js';

/** Injection token of the root pino logger. */
export const LOGGER = Symbol('logger');
export type { Logger };

/** Bytes of lines that are kept where they cannot be written (a full disk); of more than that the newest are given up. */
const KEPT_BYTES = 1024 * 1024;

/**
 * The structured log: JSON lines on standard error (standard output is left to what the operator asked for).
 * Whatever slips into a line, credentials are censored by name.
 */
export function createLogger(settings: Pick<Settings, 'LOG_LEVEL'>, destination = standardError()): Logger {
  const outages = new OutageLines();
  return pino(
    {
      // in a terminal a line for each request would bury what the person is shown
      level: settings.LOG_LEVEL ?? (process.stderr.isTTY ? 'warn' : 'info'),
      base: null,
      serializers: { err: (error: unknown) => (isNativeError(error) ? censored(describeError(error)) : error) },
      formatters: { log: censored },
      hooks: {
        logMethod(line, method) {
          if (!outages.isRepeated(line)) method.apply(this, line);
        },
      },
    },
    destination,
  );
}

function standardError(): DestinationStream {
  const stream = pino.destination({ dest: 2, sync: true, maxLength: KEPT_BYTES });
  // without a listener the fault would be thrown at whoever wrote the line, and end the process
  stream.on('error', () => undefined);
  return stream;
}

/** Writes Nest's own messages into the same log, one level lower: operators have no use for its start-up chatter. */
export class NestLogger implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(message: unknown, ...context: unknown[]): void {
    this.logger.debug({ context: context.at(-1) }, String(message));
  }
  error(message: unknown, ...context: unknown[]): void {
    this.logger.error({ context: context.at(-1), stack: context.length > 1 ? context[0] : undefined }, String(message));
  }
  warn(message: unknown, ...context: unknown[]): void {
    this.logger.warn({ context: context.at(-1) }, String(message));
  }
  debug(message: unknown, ...context: unknown[]): void {
    this.logger.trace({ context: context.at(-1) }, String(message));
  }
  verbose(message: unknown, ...context: unknown[]): void {
    this.logger.trace({ context: context.at(-1) }, String(message));
  }
}
