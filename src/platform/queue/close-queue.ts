import { within } from '../deadline.js';

/** Milliseconds the farewell to the queue's server may take. */
const FAREWELL = 3_000;

/** A queue, or a worker of one. */
interface Closable {
  close(): Promise<void>;
  disconnect(): Promise<void>;
}

/** Closes the queue in order; a server that is away, and would be waited for until the stop is given up, is left without a word. */
export async function closeQueue(queue: Closable): Promise<void> {
  const closed = queue.close().then(() => true);
  if (!(await within(FAREWELL, closed))) await queue.disconnect();
  await closed;
}
