import { isTimeZone, registerDecorator } from 'class-validator';

/** A time zone of the IANA database. */
export function IsTimeZoneName(): PropertyDecorator {
  return (target, property) =>
    registerDecorator({
      name: 'isTimeZoneName',
      target: target.constructor,
      propertyName: String(property),
      validator: {
        validate: (value: unknown) => isTimeZone(value),
        defaultMessage: () => 'must be an IANA time zone such as Europe/Berlin',
      },
    });
}
