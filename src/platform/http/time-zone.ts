import { isTimeZone } from 'class-validator';
import { propertyRule } from './property-rule.js';

/** A time zone of the IANA database. */
export const IsTimeZoneName = (): PropertyDecorator =>
  propertyRule('isTimeZoneName', (value) =>
    isTimeZone(value) ? undefined : 'must be an IANA time zone such as Europe/Berlin',
  );
