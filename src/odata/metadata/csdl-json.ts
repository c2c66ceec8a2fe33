import type { EntitySet, Property } from '../model/entity-set.js';
import { ENTITY_SETS, entitySet, NAMESPACE } from '../model/model.js';
import { nonSortable, SORT_RESTRICTIONS } from './sort-restrictions.js';

type Json = Readonly<Record<string, unknown>>;

/** The model as CSDL JSON. */
export function csdlJson(): Json {
  return {
    $Version: '4.0',
    $EntityContainer: `${NAMESPACE}.Container`,
    [NAMESPACE]: {
      ...Object.fromEntries(ENTITY_SETS.map((set) => [set.entityType, entityType(set)])),
      Container: {
        $Kind: 'EntityContainer',
        ...Object.fromEntries(ENTITY_SETS.map((set) => [set.name, setInContainer(set)])),
      },
    },
  };
}

function entityType(set: EntitySet): Json {
  return {
    $Kind: 'EntityType',
    $Key: set.key,
    ...Object.fromEntries(set.properties.map((property) => [property.name, describe(property)])),
    ...Object.fromEntries(
      set.navigations.map(({ name, target, by, nullable }) => [
        name,
        {
          $Kind: 'NavigationProperty',
          $Type: `${NAMESPACE}.${entitySet(target).entityType}`,
          ...(nullable ? { $Nullable: true } : { $ReferentialConstraint: { [by]: 'id' } }),
        },
      ]),
    ),
  };
}

/** Omits Edm.String and "not null", the defaults of CSDL JSON. */
function describe({ type, nullable }: Property): Json {
  return {
    ...(type === 'Edm.String' ? {} : { $Type: type }),
    ...(nullable ? { $Nullable: true } : {}),
    ...(type === 'Edm.DateTimeOffset' ? { $Precision: 3 } : {}),
  };
}

function setInContainer(set: EntitySet): Json {
  const { entityType: type, navigations } = set;
  const bindings = Object.fromEntries(navigations.map(({ name, target }) => [name, target]));
  const unsorted = nonSortable(set);
  const restrictions = { [`@${SORT_RESTRICTIONS}`]: { NonSortableProperties: unsorted } };
  return {
    $Collection: true,
    $Type: `${NAMESPACE}.${type}`,
    ...(unsorted.length === 0 ? {} : restrictions),
    ...(navigations.length === 0 ? {} : { $NavigationPropertyBinding: bindings }),
  };
}
