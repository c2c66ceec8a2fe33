import { IsIn } from 'class-validator';
import { propertyRule } from './property-rule.js';

/** The message for a value that is not among these. */
export const oneOfFault = (values: readonly unknown[]): string => `must be one of ${values.join(', ')}`;

/**
 * One of the values. For a number that reads like one of them, such as 0 for `"0"`, the error says that it must be a string.
 * @param otherwise what else is allowed, appended to the message: `, or null`
 */
export const IsOneOf = (values: readonly string[], otherwise = ''): PropertyDecorator =>
  propertyRule('isOneOf', (value) => {
    if (values.some((known) => known === value)) return undefined;
    const meant = typeof value === 'number' && values.includes(String(value));
    return meant ? `must be the string "${value}"` : `${oneOfFault(values)}${otherwise}`;
  });

/** A list that contains only these values. */
export const ContainsOnly = (values: readonly string[]): PropertyDecorator =>
  IsIn(values, { each: true, message: `must contain only ${values.join(', ')}` });
