import { p } from '@mikro-orm/core';

/** A text column without a length limit. */
export const text = () => p.string().columnType('text');

/** A point in time with the millisecond precision of JavaScript. */
export const instant = () => p.datetime().columnType('timestamptz(3)');

/** IP addresses or CIDR ranges; empty by default. */
export const addresses = () => p.array<string>().columnType('text[]').defaultRaw(`'{}'`);
