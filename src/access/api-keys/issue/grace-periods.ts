import { DAY_MS, HOUR_MS } from '../../../platform/durations.js';

/** Milliseconds for which a rotated key keeps working, by the names in the contract. */
export const GRACE_PERIODS = { '0': 0, '1h': HOUR_MS, '24h': DAY_MS, '7d': 7 * DAY_MS } as const;
export type GracePeriod = keyof typeof GRACE_PERIODS;
export const GRACE_NAMES = Object.keys(GRACE_PERIODS) as GracePeriod[];
