import { registerDecorator } from 'class-validator';
import { parseInstant } from './validation.js';

/** Whether text is a day of the calendar, written YYYY-MM-DD, that PostgreSQL takes. */
export function isDay(text: string): boolean {
  return /^[1-9]\d{3}-\d{2}-\d{2}$/.test(text) && parseInstant(text) !== undefined;
}

export function IsDay(): PropertyDecorator {
  return (target, property) =>
    registerDecorator({
      name: 'isDay',
      target: target.constructor,
      propertyName: String(property),
      validator: {
        validate: (value: unknown) => typeof value === 'string' && isDay(value),
        defaultMessage: () => 'must be a day, YYYY-MM-DD',
      },
    });
}
