import { createHash } from 'node:crypto';
import type { Position } from './keyset.js';
import { MAX_ORDER_LENGTH, type OrderTerm } from './order-terms.js';
import { longestOf } from './typed-sql.js';

/** Four-byte characters that take as much room as the longest value other than text: a GUID. */
const CHARACTERS_OF_A_VALUE = 9;

/** Characters that compress as badly as any text can. Enough of them that no order uses one twice. */
const INCOMPRESSIBLE = incompressible(2 * MAX_ORDER_LENGTH);

/** A position in an order that takes at least as much room in a compressed token as any real one. */
export function longestPosition(terms: readonly OrderTerm[]): Position {
  let taken = 0;
  return terms.map(({ value }) => {
    const from = taken;
    taken += value.type === 'string' ? longestOf(value) : CHARACTERS_OF_A_VALUE;
    return INCOMPRESSIBLE.slice(from, taken).join('');
  });
}

/** Deterministic, so that whether a query is rejected does not depend on chance. */
function incompressible(count: number): readonly string[] {
  const bytes = createHash('shake256', { outputLength: 4 * count })
    .update('incompressible')
    .digest();
  return Array.from({ length: count }, (_, at) =>
    String.fromCodePoint(0x1_0000 + (bytes.readUInt32LE(4 * at) % 0x10_0000)),
  );
}
