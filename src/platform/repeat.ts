/**
 * Does `work` at an interval, for the time of a task. A turn that comes due while another is under way is skipped. What the service
 * repeats for as long as it runs goes through `Rounds`.
 * @param work must not reject
 * @returns ends it, and waits for the turn that is under way
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
