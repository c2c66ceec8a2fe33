import { withoutTail } from '../../../numeric/decimals.js';
import type { ApiSession } from '../api-session.js';
import { searchAll } from './odoo-search.js';

/** Ids of units of measure; undefined where there is none, or it may not be read. */
export interface Units {
  /** In which a line is sold. */
  readonly sold: number | undefined;
  /** In which its product is kept. */
  readonly kept: number | undefined;
}

interface Unit {
  readonly id: number;
  /** How many of the unit at the root of its tree it is: 12 of a dozen, 72 of a pack of six dozens. */
  readonly factor: number;
}

/** Reads the factors of the units that have to be converted, by id. */
export async function readFactors(api: ApiSession, units: readonly Units[]): Promise<ReadonlyMap<number, number>> {
  const ids = new Set(units.filter(differ).flatMap(({ sold, kept }) => [sold, kept]));
  if (ids.size === 0) return new Map();
  const found = await searchAll<Unit>(api, 'uom.uom', {
    domain: [
      ['id', 'in', [...ids]],
      ['active', 'in', [true, false]],
    ],
    fields: ['factor'],
  });
  return new Map(found.map(({ id, factor }) => [id, factor]));
}

/** A quantity in the unit of the product, as of 7 pieces .583333333333 dozens; NaN where Odoo does not tell what a unit is. */
export function convert(quantity: number, units: Units, factors: ReadonlyMap<number, number>): number {
  if (!differ(units)) return quantity;
  return withoutTail(quantity * ((factors.get(units.sold!) ?? NaN) / (factors.get(units.kept!) ?? NaN)));
}

function differ({ sold, kept }: Units): boolean {
  return sold !== undefined && kept !== undefined && sold !== kept;
}
