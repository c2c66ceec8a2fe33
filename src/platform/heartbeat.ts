import { repeat } from './repeat.js';

/** Thrown in the transaction that would store the result of work that another worker has by now, or that was ended: nothing is stored. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

/**
 * Renews a lease while `work` runs. `lost()` tells the work that another worker has the lease by now: its result would be
 * refused, so it may as well stop.
 * @param intervalMs a third of the lease or less, so that two renewals may fail before it expires
 */
export async function withHeartbeat<T>(
  renew: () => Promise<boolean>,
  intervalMs: number,
  work: (lost: () => boolean) => Promise<T>,
): Promise<T> {
  let lost = false;
  const endRenewals = repeat(intervalMs, () =>
    renew().then(
      (kept) => {
        lost ||= !kept;
      },
      () => undefined, // the database is away: the lease may still be ours when it is back
    ),
  );
  try {
    return await work(() => lost);
  } finally {
    void endRenewals(); // the result is there: no need to wait for a renewal that is under way
  }
}
