/** Waits until every piece of work has ended, where `Promise.all` would leave the rest behind at the first that fails. Rejects as that did. */
export async function allEnded(work: readonly Promise<unknown>[]): Promise<void> {
  await Promise.allSettled(work);
  await Promise.all(work);
}
