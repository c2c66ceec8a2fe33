import { Worker } from 'bullmq';

/** Milliseconds between two looks for jobs while they fail. */
const PAUSE = 1_000;

/**
 * What takes jobs from a queue, BullMQ's class `Worker`, but that it pauses after a look for jobs that failed. BullMQ pauses
 * where it knows that the connection is lost; what a PostgreSQL that starts or recovers refuses it asks again at once, hundreds
 * of times a second, each time by a connection of its own, which keeps the database from getting ready.
 */
export class PatientConsumer extends Worker {
  protected override async moveToActive(
    ...look: Parameters<Worker['moveToActive']>
  ): ReturnType<Worker['moveToActive']> {
    try {
      return await super.moveToActive(...look);
    } catch (error) {
      if (!this.closing) await this.delay(PAUSE);
      throw error;
    }
  }
}
