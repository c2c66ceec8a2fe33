/** Lengths of time in milliseconds. A day is 24 hours: instants only, never days of a calendar with summer time. */
export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;
