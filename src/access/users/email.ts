import { isEmail, registerDecorator } from 'class-validator';

/** Longest address that SMTP can carry (RFC 5321 section 4.5.3.1.3). */
const LONGEST = 254;

/** Whether a value is an email address that SMTP can carry; blanks around it do not count. */
export function isEmailAddress(value: unknown): boolean {
  // isEmail throws on half of a surrogate pair
  return typeof value === 'string' && value.length <= LONGEST && value.isWellFormed() && isEmail(value.trim());
}

/** An email address; case does not matter, it is kept in lower case. */
export function IsEmailAddress(): PropertyDecorator {
  return (target, property) =>
    registerDecorator({
      name: 'isEmailAddress',
      target: target.constructor,
      propertyName: String(property),
      validator: {
        validate: isEmailAddress,
        defaultMessage: () => `must be an email address of at most ${LONGEST} characters`,
      },
    });
}
