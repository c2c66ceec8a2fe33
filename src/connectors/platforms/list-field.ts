import type { Field } from '../field.js';

/**
 * What a field must match that lists entries: separated by commas, with blanks around them or without.
 * @param entry one of them, which must neither begin nor end with a blank: it could be that of the entry or of the comma, and where a
 * long list does not match, the ways to tell them apart are too many to try
 */
export const listPattern = ({ source }: RegExp, says: string): NonNullable<Field['pattern']> => ({
  matches: new RegExp(`^${source}( *, *${source})*$`),
  says,
});

/** The entries of such a field. */
export const listed = (value: string): string[] => value.split(',').map((entry) => entry.trim());
