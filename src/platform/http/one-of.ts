import { IsIn } from 'class-validator';

/** The message for a value that is none of these. */
export const oneOfFault = (values: readonly unknown[]): string => `must be one of ${values.join(', ')}`;

/**
 * One of the values.
 * @param otherwise what else is allowed, for the end of the message: `, or null`
 */
export const IsOneOf = (values: readonly string[], otherwise = ''): PropertyDecorator =>
  IsIn(values, { message: `${oneOfFault(values)}${otherwise}` });

/** A list that holds nothing but the values. */
export const HoldsOnly = (values: readonly string[]): PropertyDecorator =>
  IsIn(values, { each: true, message: `must hold only ${values.join(', ')}` });
