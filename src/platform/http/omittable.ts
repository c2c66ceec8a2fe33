import { ValidateIf } from 'class-validator';

/** A member or parameter that may be left out. Unlike `@IsOptional`, null is a value and must pass the other validators. */
export const Omittable = (): PropertyDecorator => ValidateIf((_object, value: unknown) => value !== undefined);
