/** Lengths of time in milliseconds. A day is 24 hours: instants only, never days of a calendar with summer time. */
export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** The instant so many milliseconds after another. */
export const later = (instant: Date, milliseconds: number): Date => new Date(instant.getTime() + milliseconds);

/** The instant so many milliseconds before another. */
export const earlier = (instant: Date, milliseconds: number): Date => new Date(instant.getTime() - milliseconds);
