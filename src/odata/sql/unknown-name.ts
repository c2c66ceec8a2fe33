import { QUOTES_MISSING } from '../language/option-fault.js';
import type { EntitySet } from '../model/entity-set.js';
import { entitySet } from '../model/model.js';

const listed = (names: readonly string[]): string =>
  names.length > 0 ? `; the known names are ${names.join(', ')}` : '';

/** Message for an unknown property of a set: lists the known ones. */
export function noProperty({ entityType, properties }: EntitySet, name: string): string {
  return `${entityType} has no property ${name}${listed(properties.map((known) => known.name))}`;
}

/**
 * The same in an expression, where a path may lead to the property: `is_latest` of a forecast is that of its run. In a filter, the name may
 * be a string that lacks its quotes.
 */
export function noPath(set: EntitySet, name: string, option: string): string {
  if (set.navigations.some((navigation) => navigation.name === name)) {
    return `${name} is an entity; use one of its properties, such as ${name}/id`;
  }
  const [leading, ...others] = set.navigations.filter(({ target }) =>
    entitySet(target).properties.some((property) => property.name === name),
  );
  if (leading === undefined || others.length > 0) {
    return noProperty(set, name) + (option === '$filter' ? QUOTES_MISSING : '');
  }
  return `${set.entityType} has no property ${name}; use ${leading.name}/${name}`;
}

export function noNavigation({ entityType, navigations }: EntitySet, name: string): string {
  return `${entityType} has no navigation property ${name}${listed(navigations.map((known) => known.name))}`;
}

/** @param columns paths and aliases that the aggregation yields */
export function noColumn(columns: readonly { readonly path: readonly string[] }[], name: string): string {
  return `the aggregation has no column ${name}${listed(columns.map(({ path }) => path.join('/')))}`;
}
