import { applyDecorators } from '@nestjs/common';
import { IsInt, Max, Min } from 'class-validator';

/** Both ends are included. The names are those of OpenAPI, so that a schema can take them as they are. */
export interface WholeNumbers {
  readonly minimum: number;
  readonly maximum: number;
}

/**
 * A whole number of the range.
 * @param otherwise what else the member may be, as the refusal adds it: `, or null`
 */
export function IsWholeNumber({ minimum, maximum }: WholeNumbers, otherwise = ''): PropertyDecorator {
  const fault = { message: `must be a whole number from ${minimum} to ${maximum}${otherwise}` };
  return applyDecorators(IsInt(fault), Min(minimum, fault), Max(maximum, fault));
}
