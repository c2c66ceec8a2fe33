import type { EntitySet } from '../model/entity-set.js';
import { entitySet } from '../model/model.js';
import { LONGEST_ORDER } from '../sql/order-terms.js';

/**
 * The term by which a feed says what it cannot sort by, for clients to do it themselves. The metadata does not refer to its
 * vocabulary: clients know it by name, and Apache Olingo would fetch it, with the key, from where it is published, and read
 * nothing at all in a network without a way out.
 */
export const SORT_RESTRICTIONS = 'Org.OData.Capabilities.V1.SortRestrictions';

/** Paths of the texts that are too long for $orderby, those of the entities that the set leads to included. */
export function nonSortable(set: EntitySet): string[] {
  const longOf = ({ properties }: EntitySet): string[] =>
    properties.filter(({ longest = 0 }) => longest > LONGEST_ORDER).map(({ name }) => name);
  const reached = set.navigations.flatMap(({ name, target }) =>
    longOf(entitySet(target)).map((property) => `${name}/${property}`),
  );
  return [...longOf(set), ...reached];
}
