import { applyDecorators } from '@nestjs/common';
import { IsInt, Max, Min } from 'class-validator';

/** Both ends are included. The names are those of OpenAPI, so that a schema can take them as they are. */
export interface WholeNumbers {
  readonly minimum: number;
  readonly maximum: number;
}

/** What a refusal says of a value that is no whole number of the range. */
export const wholeNumberFault = ({ minimum, maximum }: WholeNumbers): string =>
  `must be a whole number from ${minimum} to ${maximum}`;

/**
 * A whole number of the range.
 * @param otherwise what else the member may be, as the refusal adds it: `, or null`
 */
export function IsWholeNumber(range: WholeNumbers, otherwise = ''): PropertyDecorator {
  const fault = { message: `${wholeNumberFault(range)}${otherwise}` };
  return applyDecorators(IsInt(fault), Min(range.minimum, fault), Max(range.maximum, fault));
}
