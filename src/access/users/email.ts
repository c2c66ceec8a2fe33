import { isEmail } from 'class-validator';
import { propertyRule } from '../../platform/http/property-rule.js';

/** Longest address that SMTP can carry (RFC 5321 section 4.5.3.1.3). */
const LONGEST = 254;

/** Whether a value is an email address that SMTP can carry; blanks around it do not count. */
export function isEmailAddress(value: unknown): boolean {
  // isEmail throws on half of a surrogate pair
  return typeof value === 'string' && value.length <= LONGEST && value.isWellFormed() && isEmail(value.trim());
}

/** An email address; case does not matter, it is kept in lower case. */
export const IsEmailAddress = (): PropertyDecorator =>
  propertyRule('isEmailAddress', (value) =>
    isEmailAddress(value) ? undefined : `must be an email address of at most ${LONGEST} characters`,
  );
