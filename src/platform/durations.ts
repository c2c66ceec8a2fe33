/**
 * Durations in milliseconds. A day is exactly 24 hours: for instants only, never for calendar days, which daylight saving time may
 * shorten.
 */
export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** The instant that many milliseconds after another. */
export const later = (instant: Date, milliseconds: number): Date => new Date(instant.getTime() + milliseconds);

/** The instant that many milliseconds before another. */
export const earlier = (instant: Date, milliseconds: number): Date => new Date(instant.getTime() - milliseconds);
