import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { IsString, Length } from 'class-validator';

/** The token of a link, as callers send it back; `example` shows its prefix. */
export const LinkToken = (example: string): PropertyDecorator =>
  applyDecorators(
    ApiProperty({ description: 'The token from the link in the email.', example, minLength: 1, maxLength: 100 }),
    IsString({ message: 'must be a string' }),
    Length(1, 100, { message: 'must have 1 to 100 characters' }),
  );
