import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { IsString, Matches, MaxLength, MinLength } from 'class-validator';

/** Nobody types a longer one, and hashing longer texts would only help an attacker. */
export const LONGEST_PASSWORD = 1_024;
export const SHORTEST_PASSWORD = 12;

/** A password that is to be checked. */
export const GivenPassword = (): PropertyDecorator =>
  applyDecorators(
    IsString({ message: 'must be a string' }),
    MaxLength(LONGEST_PASSWORD, { message: `must have at most ${LONGEST_PASSWORD} characters` }),
  );

/** The password of the account, which proves once more whose session it is. */
export const CurrentPassword = (): PropertyDecorator =>
  applyDecorators(
    ApiProperty({
      example: 'correct horse battery staple',
      maxLength: LONGEST_PASSWORD,
      description: 'The current one.',
    }),
    GivenPassword(),
  );

/** A password that is to be set. */
export const NewPassword = (): PropertyDecorator =>
  applyDecorators(
    ApiProperty({
      example: 'seven quiet rivers at dawn',
      minLength: SHORTEST_PASSWORD,
      maxLength: LONGEST_PASSWORD,
      description: 'Not of spaces alone.',
    }),
    GivenPassword(),
    Matches(/\S/, { message: 'must have more than spaces' }),
    MinLength(SHORTEST_PASSWORD, { message: `must have at least ${SHORTEST_PASSWORD} characters` }),
  );
