import { applyDecorators } from '@nestjs/common';
import { IsString, Matches, MaxLength } from 'class-validator';
import { IsIdOf } from './id-of.js';
import { IsInstant } from './instant.js';
import { IsNotEmptyText } from './not-empty.js';
import { OptionalProperty } from './optional-property.js';
import { Trimmed } from './trimmed.js';

/** A workspace to which a query of the public API may be narrowed. */
export const WorkspaceQuery = (description: string): PropertyDecorator =>
  applyDecorators(OptionalProperty({ description, type: String, minLength: 1 }), IsIdOf('workspace'));

/** An instant after which a list starts. `what` happened after it, as the document says. */
export const SinceQuery = (what: string, rest = ''): PropertyDecorator =>
  applyDecorators(
    OptionalProperty({
      description: `${what} strictly after this time (ISO 8601; a date without a time means midnight UTC).${rest}`,
      type: String,
      format: 'date-time',
      example: '2026-11-21T06:00:00Z',
    }),
    IsInstant(),
  );

/** A text that restricts a list to what has it. */
export const TextQuery = (description: string, example: string): PropertyDecorator =>
  applyDecorators(
    Trimmed(),
    OptionalProperty({ description, type: String, minLength: 1, maxLength: 255, example }),
    IsString({ message: 'must be given only once' }),
    IsNotEmptyText(),
    MaxLength(255, { message: 'must have at most 255 characters' }),
    Matches(/^[^\0]*$/, { message: 'must not contain NUL characters' }),
  );
