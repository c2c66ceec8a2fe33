import { BullModule } from '@nestjs/bullmq';
import { type DynamicModule, Global, Module } from '@nestjs/common';
import {
  type BackendFactory,
  createPostgresBackend,
  createRedisBackend,
  Queue,
  setDefaultBackendFactory,
} from 'bullmq';
import { CONNECTION_PATIENCE_MS } from '../database/connections/connect.js';
import { poolOptions } from '../database/connections/pool-options.js';
import type { Logger } from '../logging/logger.js';
import { withCloseTimeout } from './close-timeout.js';
import { PatientConsumer } from './patient-consumer.js';

/** A wake-up is useless once it has completed or failed, and a lost one is not worth retrying. */
export const JOB_OPTIONS = { removeOnComplete: true, removeOnFail: true, attempts: 1 } as const;

/** BullMQ over the service's own PostgreSQL, or over Redis if `redisUrl` is given. */
@Global()
@Module({})
export class QueueModule {
  static forRoot(databaseUrl: string, redisUrl: string | undefined, logger: Logger): DynamicModule {
    // these are global to the process and must be set before Nest creates the first queue
    BullModule.queueClass = withCloseTimeout(Queue, logger);
    BullModule.workerClass = withCloseTimeout(PatientConsumer, logger);
    setDefaultBackendFactory(
      redisUrl === undefined ? (createPostgresBackend as unknown as BackendFactory) : createRedisBackend,
    );
    const connection =
      redisUrl === undefined ? postgresConnection(databaseUrl) : { url: redisUrl, maxRetriesPerRequest: null };
    return {
      module: QueueModule,
      imports: [BullModule.forRoot({ connection })],
      exports: [BullModule],
    };
  }
}

/**
 * With timeouts, so that a frozen server fails a call instead of hanging it. They are long enough for startup, since BullMQ never
 * retries its first connection; callers wait less (RunWaker). Commits need not reach the disk: a lost wake-up only costs time.
 */
function postgresConnection(databaseUrl: string): object {
  return {
    ...poolOptions(databaseUrl, 'queue', { search_path: 'bullmq', synchronous_commit: 'off' }),
    max: 3,
    query_timeout: CONNECTION_PATIENCE_MS,
    options: '-c idle_session_timeout=0', // for the listening connection, which BullMQ opens itself
  };
}
