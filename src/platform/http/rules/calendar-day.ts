import { parseInstant } from './instant.js';
import { propertyRule } from './property-rule.js';

/** Whether the text is a calendar day, written YYYY-MM-DD, that PostgreSQL accepts. */
export function isDay(text: string): boolean {
  return /^[1-9]\d{3}-\d{2}-\d{2}$/.test(text) && parseInstant(text) !== undefined;
}

export const IsDay = (): PropertyDecorator =>
  propertyRule('isDay', (value) =>
    typeof value === 'string' && isDay(value) ? undefined : 'must be a date in the format YYYY-MM-DD',
  );
