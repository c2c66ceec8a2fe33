/** An instant as `2026-11-21 06:00 UTC`; a dash for null. */
export const minute = (instant: Date | null): string =>
  instant === null ? '–' : `${instant.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
