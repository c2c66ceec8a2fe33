/**
 * Renews a lease while `work` runs. `lost()` tells the work that it has been given to another; its result would be
 * refused, so it may as well stop.
 * @param intervalMs a third of the lease or less, so that two renewals may fail before it expires
 */
export async function withHeartbeat<T>(
  renew: () => Promise<boolean>,
  intervalMs: number,
  work: (lost: () => boolean) => Promise<T>,
): Promise<T> {
  let lost = false;
  let renewing = false;
  const timer = setInterval(() => {
    if (renewing) return;
    renewing = true;
    renew().then(
      (kept) => {
        lost ||= !kept;
        renewing = false;
      },
      () => (renewing = false), // the database is away: the lease may still be ours when it is back
    );
  }, intervalMs);
  try {
    return await work(() => lost);
  } finally {
    clearInterval(timer);
  }
}
