import { applyDecorators } from '@nestjs/common';
import { IsInt, Max, Min } from 'class-validator';

/** A range that includes both ends. The names are those of OpenAPI, so that it can be spread into a schema. */
export interface WholeNumbers {
  readonly minimum: number;
  readonly maximum: number;
}

/** The message for a value that is not an integer in the range. */
export const wholeNumberFault = ({ minimum, maximum }: WholeNumbers): string =>
  `must be a whole number from ${minimum} to ${maximum}`;

/**
 * An integer in the range.
 * @param otherwise what else is allowed, appended to the message: `, or null`
 */
export function IsWholeNumber(range: WholeNumbers, otherwise = ''): PropertyDecorator {
  const fault = { message: `${wholeNumberFault(range)}${otherwise}` };
  return applyDecorators(IsInt(fault), Min(range.minimum, fault), Max(range.maximum, fault));
}
