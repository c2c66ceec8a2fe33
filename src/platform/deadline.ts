/** What `work` resolves to within so many milliseconds, else undefined; the work goes on all the same. */
export async function within<T>(milliseconds: number, work: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<undefined>((resolve) => (timer = setTimeout(resolve, milliseconds, undefined)));
  return Promise.race([work, deadline]).finally(() => clearTimeout(timer));
}
