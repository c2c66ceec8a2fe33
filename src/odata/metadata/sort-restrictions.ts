import type { EntitySet } from '../model/entity-set.js';
import { entitySet } from '../model/model.js';
import { MAX_ORDER_LENGTH } from '../sql/order-terms.js';

/**
 * The annotation that lists properties the feed cannot sort by, so that clients sort by themselves. The metadata does not reference its
 * vocabulary: clients know it by name, whereas Apache Olingo would download it, sending the key along, and fail without internet access.
 */
export const SORT_RESTRICTIONS = 'Org.OData.Capabilities.V1.SortRestrictions';

/** Paths of texts that are too long for $orderby, including those of navigable entities. */
export function nonSortable(set: EntitySet): string[] {
  const longOf = ({ properties }: EntitySet): string[] =>
    properties.filter(({ longest = 0 }) => longest > MAX_ORDER_LENGTH).map(({ name }) => name);
  const reached = set.navigations.flatMap(({ name, target }) =>
    longOf(entitySet(target)).map((property) => `${name}/${property}`),
  );
  return [...longOf(set), ...reached];
}
