import type { EntitySet } from '../model/entity-set.js';
import { entitySet } from '../model/model.js';
import { LONGEST_ORDER } from '../sql/order-terms.js';

/** The vocabulary by which a feed says what it cannot do, for clients to do it themselves. */
export const CAPABILITIES = {
  namespace: 'Org.OData.Capabilities.V1',
  uri: 'https://oasis-tcs.github.io/odata-vocabularies/vocabularies/Org.OData.Capabilities.V1.xml',
} as const;

/** Paths of the texts that are too long for $orderby, those of the entities that the set leads to included. */
export function nonSortable(set: EntitySet): string[] {
  const longOf = ({ properties }: EntitySet): string[] =>
    properties.filter(({ longest = 0 }) => longest > LONGEST_ORDER).map(({ name }) => name);
  const reached = set.navigations.flatMap(({ name, target }) =>
    longOf(entitySet(target)).map((property) => `${name}/${property}`),
  );
  return [...longOf(set), ...reached];
}
