import { isNativeError } from 'node:util/types';
import type { LoggerService } from '@nestjs/common';
import { type DestinationStream, type Logger, pino } from 'pino';
import type { Settings } from '../../../config/settings.js';
import { censored } from './censored.js';
import { describeError, OutageLines } from './outage-lines.js';

/** Injection token of the root pino logger. */
export const LOGGER = Symbol('logger');
export type { Logger };

/** Bytes of log lines buffered while they cannot be written (a full disk); beyond that the newest are dropped. */
const KEPT_BYTES = 1024 * 1024;

/**
 * The structured log: JSON lines on standard error (standard output is reserved for what the operator asked for). Whatever slips
 * into a line, credentials are redacted by name.
 */
export function createLogger(settings: Pick<Settings, 'LOG_LEVEL'>, destination = standardError()): Logger {
  const outages = new OutageLines();
  return pino(
    {
      // on a terminal, one line per request would bury what the user should see
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
  // without a listener, the error would be thrown at the caller that logs and end the process
  stream.on('error', () => undefined);
  return stream;
}

/** Writes Nest's own messages to the same log, one level lower: operators do not need its startup chatter. */
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
