/** Strips trailing slashes. Each run of slashes is tried only from its first: trying every one would take quadratic time. */
export const withoutTrailingSlashes = (address: string): string => address.replace(/(?<!\/)\/+$/, '');
