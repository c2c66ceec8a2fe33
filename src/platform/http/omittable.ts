import { ValidateIf } from 'class-validator';

/** A member of a body that may be left out. Unlike `@IsOptional`, null is not "left out": it fails the other validators. */
export const Omittable = (): PropertyDecorator => ValidateIf((_object, value) => value !== undefined);
