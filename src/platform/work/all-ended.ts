/**
 * Waits for every promise to settle, then rejects as `Promise.all` would; `Promise.all` itself abandons the others at the first
 * rejection.
 */
export async function allEnded(work: readonly Promise<unknown>[]): Promise<void> {
  await Promise.allSettled(work);
  await Promise.all(work);
}
