import { p } from '@mikro-orm/core';

/** A column of text without a bound of its own. */
export const text = () => p.string().columnType('text');

/** A point in time, to the millisecond as JavaScript has it. */
export const instant = () => p.datetime().columnType('timestamptz(3)');

/** Addresses or ranges of addresses; none by default. */
export const addresses = () => p.array<string>().columnType('text[]').defaultRaw(`'{}'`);
