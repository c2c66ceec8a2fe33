import { v7, validate } from 'uuid';

/** A new UUIDv7: unique and ordered by creation time, so keyset pagination by id follows creation order. */
export const newId = (): string => v7();

/** Whether the text is a UUID. A malformed id in a path gets the same response as an unknown one. */
export const isId = (text: string): boolean => validate(text);

/** The id in the form that the service writes: callers may send it in upper case. */
export const canonicalId = (id: string): string => id.toLowerCase();
