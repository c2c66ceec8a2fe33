import { repeat } from './repeat.js';

/** Thrown to roll back the transaction that stores a result when another worker holds the lease by now or the work was ended. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

/**
 * Renews a lease while `work` runs. `lost()` tells the work that its lease is lost: its result would be rejected, so it may as well
 * stop.
 * @param intervalMs at most a third of the lease, so that two renewals may fail before it expires
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
      () => undefined, // the database is unreachable: the lease may still be ours once it is back
    ),
  );
  try {
    return await work(() => lost);
  } finally {
    void endRenewals(); // the result is ready: no need to wait for a renewal in flight
  }
}
