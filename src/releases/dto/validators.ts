import { registerDecorator } from 'class-validator';
import { isVersion } from '../version.js';

export function IsVersion(): PropertyDecorator {
  return (target, property) =>
    registerDecorator({
      name: 'isVersion',
      target: target.constructor,
      propertyName: String(property),
      validator: {
        validate: (value: unknown) => typeof value === 'string' && isVersion(value),
        defaultMessage: () =>
          'must be a semantic version such as 1.4.0 or 2.0.0-beta.1, without a leading v and without build metadata',
      },
    });
}
