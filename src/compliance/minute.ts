/** `2026-11-21 06:00 UTC` of an instant; a dash where there is none. */
export const minute = (instant: Date | null): string =>
  instant === null ? '–' : `${instant.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
