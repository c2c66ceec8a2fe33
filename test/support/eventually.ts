import { setTimeout as sleep } from 'node:timers/promises';

/** Seconds after which what a test waits for is given up: so many that only what never comes takes them, on any machine. */
const PATIENCE_SECONDS = 240;

/** Asks again and again until the answer is not undefined; what the last try threw is the cause of giving up. */
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
