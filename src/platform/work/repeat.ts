/**
 * Runs `work` at an interval for the duration of a task. A run that comes due while the previous one is in progress is skipped.
 * Work that repeats for the lifetime of the process goes through `Rounds`.
 * @param work must not reject
 * @returns a function that stops the repetition and waits for the run in progress
 */
export function repeat(intervalMs: number, work: () => Promise<void>): () => Promise<void> {
  let turn: Promise<void> | undefined;
  const timer = setInterval(() => {
    turn ??= work().finally(() => (turn = undefined));
  }, intervalMs);
  return async () => {
    clearInterval(timer);
    await turn;
  };
}
