/** The result of `work`, or undefined if it takes longer than `milliseconds`. Late work is not canceled; its outcome is ignored. */
export async function within<T>(milliseconds: number, work: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const left = Math.max(0, milliseconds); // Node warns about negative delays
  const deadline = new Promise<undefined>((resolve) => (timer = setTimeout(resolve, left, undefined)));
  return Promise.race([work, deadline]).finally(() => clearTimeout(timer));
}
