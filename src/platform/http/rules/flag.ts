import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { IsBoolean } from 'class-validator';
import { OptionalProperty } from './optional-property.js';

const VALUES = new Map([
  ['true', true],
  ['false', false],
]);

/** The value of `true` or `false` in a query, in any case (Python sends `True`); undefined for anything else. */
export const booleanOf = (text: string): boolean | undefined => VALUES.get(text.toLowerCase());

/** A member of a body that is true or false. */
export const IsFlag = (): PropertyDecorator => IsBoolean({ message: 'must be true or false' });

/** An optional query parameter that is `true` or `false`, as {@link booleanOf} reads them. */
export const QueryFlag = (description: string, byDefault = false): PropertyDecorator =>
  applyDecorators(
    OptionalProperty({ description, type: Boolean, default: byDefault }),
    Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? (booleanOf(value) ?? value) : value)),
    IsFlag(),
  );
