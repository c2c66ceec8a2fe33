import { IsOptional, ValidateIf } from 'class-validator';

/** A member or parameter that may be omitted. Null is a value and must pass the other validators. */
export const Omittable = (): PropertyDecorator => ValidateIf((_object, value: unknown) => value !== undefined);

/** A body member that may be omitted or null. */
export const OmittableOrNull = (): PropertyDecorator => IsOptional();
