import { within } from '../deadline.js';

/** A queue, or a worker of one. */
interface Closable {
  close(): Promise<void>;
  disconnect(): Promise<void>;
}

/**
 * Closes the queue in order; a server that is away, and would be waited for until the stop is given up, is left without a
 * word.
 * @param patience milliseconds for that; of a worker more than its jobs take to end, which need the server
 */
export async function closeQueue(queue: Closable, patience: number): Promise<void> {
  const closed = queue.close().then(() => true);
  if (!(await within(patience, closed))) await queue.disconnect();
  await closed;
}
