import { createHash } from 'node:crypto';
import type { Position } from './keyset.js';
import { LONGEST_ORDER, type OrderTerm } from './order-terms.js';
import { longestOf } from './typed-sql.js';

/** Characters of four bytes that hold as much as a value that is no text, the longest of which is a guid. */
const CHARACTERS_OF_A_VALUE = 9;

/** Characters that compress as little as any that a text can have. Enough for each order to take none twice. */
const INCOMPRESSIBLE = incompressible(2 * LONGEST_ORDER);

/** A stand-in for the positions of an order that takes as much room in a token as any of them may, compressed. */
export function longestPosition(terms: readonly OrderTerm[]): Position {
  let taken = 0;
  return terms.map(({ value }) => {
    const from = taken;
    taken += value.type === 'string' ? longestOf(value) : CHARACTERS_OF_A_VALUE;
    return INCOMPRESSIBLE.slice(from, taken).join('');
  });
}

/** The same ones each time, so that a query is not refused by chance. */
function incompressible(count: number): readonly string[] {
  const bytes = createHash('shake256', { outputLength: 4 * count })
    .update('incompressible')
    .digest();
  return Array.from({ length: count }, (_, at) =>
    String.fromCodePoint(0x1_0000 + (bytes.readUInt32LE(4 * at) % 0x10_0000)),
  );
}
