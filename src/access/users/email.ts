import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { isEmail } from 'class-validator';
import { propertyRule } from '../../platform/http/rules/property-rule.js';
import { textFault } from '../../platform/http/rules/text.js';

/** Longest address that SMTP allows (RFC 5321 section 4.5.3.1.3). */
const MAX_LENGTH = 254;

/** Whether the value is an email address that SMTP allows, ignoring surrounding whitespace. */
export function isEmailAddress(value: unknown): boolean {
  // isEmail accepts line breaks and other control characters between quotes, and throws on an unpaired surrogate
  return (
    typeof value === 'string' && textFault(value.trim(), { max: MAX_LENGTH }) === undefined && isEmail(value.trim())
  );
}

/** An email address; case-insensitive, stored in lower case. */
export const EmailAddress = (description: string, example = 'ada@example.com'): PropertyDecorator =>
  applyDecorators(
    ApiProperty({ format: 'email', description, example, maxLength: MAX_LENGTH }),
    propertyRule('isEmailAddress', (value) =>
      isEmailAddress(value) ? undefined : `must be an email address of at most ${MAX_LENGTH} characters`,
    ),
  );
