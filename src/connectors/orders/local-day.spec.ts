import { describe, expect, it } from '@jest/globals';
import { dayIn } from './local-day.js';

describe('dayIn', () => {
  it.each([
    ['UTC', '2026-03-01T00:00:00Z', '2026-03-01'],
    ['America/New_York', '2026-03-01T04:59:59Z', '2026-02-28'],
    ['America/New_York', '2026-03-01T05:00:00Z', '2026-03-01'],
    ['Pacific/Kiritimati', '2026-02-28T10:00:00Z', '2026-03-01'],
    ['Europe/Berlin', '2026-03-29T22:30:00Z', '2026-03-30'], // daylight saving time began that day
    ['Europe/Berlin', '2026-10-25T22:30:00Z', '2026-10-25'], // and ended that day
    ['Asia/Kathmandu', '2026-01-01T18:14:59Z', '2026-01-01'],
    ['Asia/Kathmandu', '2026-01-01T18:15:00Z', '2026-01-02'],
    ['Europe/Berlin', '0026-10-15T12:00:00Z', '0026-10-15'],
  ])('for %s at %s is %s', (zone, instant, day) => {
    expect(dayIn(zone, new Date(instant))).toBe(day);
  });
});
