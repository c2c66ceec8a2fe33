import { isLastFetch } from '../database/page-room.js';

/**
 * Rows in batches, where the next batch is read while the current one is processed. Stops at the first fetch that is not full: if
 * rows are added as fast as they are read, there would always be another.
 * @param limit rows of a full fetch
 * @param read fetches the rows after one, the first ones if there is none; undefined stands for those that do not fit into the batch
 * (platform/database/page-room.ts)
 */
export async function* readAhead<Row>(
  limit: number,
  read: (after: Row | undefined) => Promise<readonly (Row | undefined)[]>,
): AsyncGenerator<readonly Row[]> {
  let next: Promise<readonly (Row | undefined)[]> | undefined = read(undefined);
  while (next) {
    const fetched: readonly (Row | undefined)[] = await next;
    const batch = fetched.filter((row) => row !== undefined);
    next = isLastFetch(fetched, limit) ? undefined : read(batch.at(-1));
    next?.catch(() => undefined); // awaited above; if processing fails, nothing awaits it, and a rejection must not end the process
    yield batch;
  }
}
