import { setTimeout as sleep } from 'node:timers/promises';

/** Timeout of a test's wait in seconds: so long that only what never happens reaches it, on any machine. */
const PATIENCE_SECONDS = 240;

/** Polls until the result is not undefined; on timeout, the error of the last attempt is the cause. */
export async function eventually<T>(what: string, ask: () => Promise<T | undefined>): Promise<T> {
  const deadline = performance.now() + PATIENCE_SECONDS * 1_000;
  for (;;) {
    let cause: unknown;
    const answer = await ask().catch((error: unknown) => void (cause = error));
    if (answer !== undefined) return answer;
    if (performance.now() > deadline) throw new Error(`not within ${PATIENCE_SECONDS} s: ${what}`, { cause });
    await sleep(100);
  }
}
