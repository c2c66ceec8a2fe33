import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { IsString, Matches, MaxLength, MinLength } from 'class-validator';
import { Problem } from '../../platform/http/problem.js';

/** Nobody types longer ones, and hashing longer texts would only help an attacker. */
export const MAX_PASSWORD_LENGTH = 1_024;
export const MIN_PASSWORD_LENGTH = 12;

/** A password to be checked. */
export const GivenPassword = (): PropertyDecorator =>
  applyDecorators(
    IsString({ message: 'must be a string' }),
    MaxLength(MAX_PASSWORD_LENGTH, { message: `must have at most ${MAX_PASSWORD_LENGTH} characters` }),
  );

/** The password of the account, which proves once more that the session belongs to its owner. */
export const CurrentPassword = (): PropertyDecorator =>
  applyDecorators(
    ApiProperty({
      example: 'correct horse battery staple',
      maxLength: MAX_PASSWORD_LENGTH,
      description: 'The current password.',
    }),
    GivenPassword(),
  );

const NOT_BLANK = /\S/;
const BLANK = 'must not consist of spaces only';

const passwordToSet = (...rules: PropertyDecorator[]): PropertyDecorator =>
  applyDecorators(
    ApiProperty({
      example: 'seven quiet rivers at dawn',
      minLength: MIN_PASSWORD_LENGTH,
      maxLength: MAX_PASSWORD_LENGTH,
      description:
        'Must not consist of spaces only and must not be easy to guess: no common passwords, no repetitions or sequences, no word or two with a year, nothing derived from the name or email address of the account.',
    }),
    GivenPassword(),
    ...rules,
    MinLength(MIN_PASSWORD_LENGTH, { message: `must have at least ${MIN_PASSWORD_LENGTH} characters` }),
  );

/** A password to be set. */
export const NewPassword = (): PropertyDecorator => passwordToSet(Matches(NOT_BLANK, { message: BLANK }));

/**
 * A password to be set if there is no account yet ({@link requireNotBlank}), and checked if there is one: before 0.16.0 it could
 * consist of spaces.
 */
export const NewOrCurrentPassword = (): PropertyDecorator => passwordToSet();

/** @throws {Problem} 400 naming `password` */
export function requireNotBlank(password: string): void {
  if (!NOT_BLANK.test(password)) throw Problem.invalid([{ param: 'password', message: BLANK }]);
}
