/** An address without slashes at its end. Each run of them is tried from its first alone: from each, the time would grow with its square. */
export const withoutEndSlashes = (address: string): string => address.replace(/(?<!\/)\/+$/, '');
