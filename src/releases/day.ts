import { parseInstant } from '../platform/http/validation.js';

/** Whether text is a day of the calendar, written YYYY-MM-DD, that PostgreSQL takes. */
export function isDay(text: string): boolean {
  return /^[1-9]\d{3}-\d{2}-\d{2}$/.test(text) && parseInstant(text) !== undefined;
}
