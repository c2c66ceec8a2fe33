import { Worker } from 'bullmq';

/** Milliseconds between attempts to fetch jobs while they fail. */
const PAUSE_MS = 1_000;

/**
 * BullMQ's `Worker`, with a pause after a failed attempt to fetch jobs. BullMQ only pauses if the connection is lost. When a
 * PostgreSQL that is starting or recovering refuses connections, it retries immediately, hundreds of times a second and each time
 * over a new connection, which keeps the database from becoming ready.
 */
export class PatientConsumer extends Worker {
  protected override async moveToActive(
    ...look: Parameters<Worker['moveToActive']>
  ): ReturnType<Worker['moveToActive']> {
    try {
      return await super.moveToActive(...look);
    } catch (error) {
      if (!this.closing) await this.delay(PAUSE_MS);
      throw error;
    }
  }
}
