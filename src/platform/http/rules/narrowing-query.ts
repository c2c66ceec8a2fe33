import { applyDecorators } from '@nestjs/common';
import { IsIdOf } from './id-of.js';
import { IsInstant } from './instant.js';
import { OptionalProperty } from './optional-property.js';

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
