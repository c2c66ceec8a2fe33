import { v7, validate } from 'uuid';

/** A new UUIDv7: unique, and ordered by creation time, so that keyset paging by id follows creation. */
export const newId = (): string => v7();

/** Whether text is a UUID; a malformed id in a path is answered like an unknown one. */
export const isId = (text: string): boolean => validate(text);

/** An id as the service writes it: callers may write it in capitals. */
export const canonicalId = (id: string): string => id.toLowerCase();
