import { propertyRule } from './property-rule.js';

/** The message for a value that cannot be such an id. */
export const idFault = (what: string): string => `must be the id of a ${what}`;

/**
 * A text that may be an id; a malformed one gets the same response as an unknown one. An empty text, from a variable or field that
 * was not filled in, gets an error of its own.
 */
export const IsIdOf = (what: string): PropertyDecorator =>
  propertyRule('isIdOf', (value) => (typeof value === 'string' && value !== '' ? undefined : idFault(what)));
