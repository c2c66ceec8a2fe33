import type { Field } from '../credentials/field.js';

/**
 * Pattern of a field with a list of entries, separated by commas with optional blanks around them.
 * @param entry pattern of one entry, which must neither begin nor end with a blank: the blank could belong to the entry or the comma, and a
 * long list that does not match would cause exponential backtracking
 */
export const listPattern = ({ source }: RegExp, says: string): NonNullable<Field['pattern']> => ({
  matches: new RegExp(`^${source}( *, *${source})*$`),
  says,
});

/** The entries of such a field. */
export const listed = (value: string): string[] => value.split(',').map((entry) => entry.trim());
