import { IsIn } from 'class-validator';
import { propertyRule } from './property-rule.js';

/** The message for a value that is none of these. */
export const oneOfFault = (values: readonly unknown[]): string => `must be one of ${values.join(', ')}`;

/**
 * One of the values. A number that reads like one of them, such as 0 for `"0"`, is told that it must be a string.
 * @param otherwise what else is allowed, for the end of the message: `, or null`
 */
export const IsOneOf = (values: readonly string[], otherwise = ''): PropertyDecorator =>
  propertyRule('isOneOf', (value) => {
    if (values.some((known) => known === value)) return undefined;
    const meant = typeof value === 'number' && values.includes(String(value));
    return meant ? `must be the string "${value}"` : `${oneOfFault(values)}${otherwise}`;
  });

/** A list that holds nothing but the values. */
export const HoldsOnly = (values: readonly string[]): PropertyDecorator =>
  IsIn(values, { each: true, message: `must contain only ${values.join(', ')}` });
