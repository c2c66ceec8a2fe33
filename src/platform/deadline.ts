/** What `work` resolves to within so many milliseconds, none where negative, else undefined; the work goes on all the same. */
export async function within<T>(milliseconds: number, work: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const left = Math.max(0, milliseconds); // of a negative time Node would warn
  const deadline = new Promise<undefined>((resolve) => (timer = setTimeout(resolve, left, undefined)));
  return Promise.race([work, deadline]).finally(() => clearTimeout(timer));
}
