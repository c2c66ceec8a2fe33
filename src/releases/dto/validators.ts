import { registerDecorator } from 'class-validator';
import { isDay } from '../day.js';
import { isVersion } from '../version.js';

function satisfies(name: string, holds: (value: unknown) => boolean, message: string): PropertyDecorator {
  return (target, property) =>
    registerDecorator({
      name,
      target: target.constructor,
      propertyName: String(property),
      validator: { validate: holds, defaultMessage: () => message },
    });
}

export const IsVersion = (): PropertyDecorator =>
  satisfies(
    'isVersion',
    (value) => typeof value === 'string' && isVersion(value),
    'must be a semantic version such as 1.4.0 or 2.0.0-beta.1, without a leading v and without build metadata',
  );

export const IsDay = (): PropertyDecorator =>
  satisfies('isDay', (value) => typeof value === 'string' && isDay(value), 'must be a day, YYYY-MM-DD');
