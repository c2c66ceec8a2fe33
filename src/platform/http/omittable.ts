import { IsOptional, ValidateIf } from 'class-validator';

/** A member or parameter that may be left out. Null is a value and must pass the other validators. */
export const Omittable = (): PropertyDecorator => ValidateIf((_object, value: unknown) => value !== undefined);

/** A member of a body that may be left out, or be null. */
export const OmittableOrNull = (): PropertyDecorator => IsOptional();
