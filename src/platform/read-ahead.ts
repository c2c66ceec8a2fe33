/**
 * Rows in batches, where the next batch is read while the current one is processed.
 * @param limit rows of a batch: a smaller one is the last
 * @param read the batch after a row; the first if there is none
 */
export async function* readAhead<Row>(
  limit: number,
  read: (after: Row | undefined) => Promise<readonly Row[]>,
): AsyncGenerator<readonly Row[]> {
  let next: Promise<readonly Row[]> | undefined = read(undefined);
  while (next) {
    const batch: readonly Row[] = await next;
    next = batch.length < limit ? undefined : read(batch.at(-1));
    next?.catch(() => undefined); // awaited above; if processing fails, nothing awaits it, and a rejection must not end the process
    yield batch;
  }
}
