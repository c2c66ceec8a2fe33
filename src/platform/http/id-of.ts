import { propertyRule } from './property-rule.js';

/** The message for what cannot be an id of one. */
export const idFault = (what: string): string => `must be the id of a ${what}`;

/**
 * A text that may be an id; one that is malformed is answered like an unknown one. An empty text is a variable or a field
 * that was not filled in, and is told so.
 */
export const IsIdOf = (what: string): PropertyDecorator =>
  propertyRule('isIdOf', (value) => (typeof value === 'string' && value !== '' ? undefined : idFault(what)));
