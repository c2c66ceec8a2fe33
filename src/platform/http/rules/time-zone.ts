import { isTimeZone } from 'class-validator';
import { propertyRule } from './property-rule.js';

/**
 * Names that the database interprets as JavaScript does. For it, `+05:30` lies west of Greenwich, `IST` is Israel's, `CET` has no
 * daylight saving time, and `+0530` does not exist.
 */
const READ_ALIKE = /^(utc|gmt|[a-z]+\/.+)$/i;

/** Whether the value names a time zone of the IANA database. */
export function isTimeZoneName(value: unknown): boolean {
  return typeof value === 'string' && READ_ALIKE.test(value) && isTimeZone(value);
}

/** A time zone of the IANA database. */
export const IsTimeZoneName = (): PropertyDecorator =>
  propertyRule('isTimeZoneName', (value) =>
    isTimeZoneName(value) ? undefined : 'must be an IANA time zone such as Europe/Berlin, or UTC',
  );
