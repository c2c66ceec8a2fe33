import type { Expansion, SelectExpand, Selection } from '../language/ast.js';
import { optionFault } from '../language/option-fault.js';
import type { EntitySet, Navigation } from '../model/entity-set.js';
import type { DerivedColumn, EntityScope, JoinedEntity } from './row-scope.js';
import { type TypedSql, VALUE_TYPES, type ValueType } from './typed-sql.js';
import { noColumn, noNavigation, noProperty } from './unknown-name.js';

/** A member of a row: a value, or another object. */
export type Member = ValueMember | ObjectMember;

interface ValueMember {
  readonly name: string;
  readonly value: TypedSql;
}

interface ObjectMember {
  readonly name: string;
  readonly members: Shape;
  /** SQL that is null if the object does not exist; absent if it always exists. */
  readonly presence?: string;
}

/** The members of a row in a response, in order. */
export type Shape = readonly Member[];

const ALL = '*';

/** The selected properties of an entity, and its expanded navigations. */
export function entityShape(scope: EntityScope, request: SelectExpand, entity: JoinedEntity = scope.root): Shape {
  const { set } = entity;
  const selected = new Set<string>();
  for (const { name, at } of request.select ?? [{ name: ALL, at: 0 }]) {
    if (name === ALL) for (const property of set.properties) selected.add(property.name);
    else if (set.properties.some((property) => property.name === name)) selected.add(name);
    // OData 4.0 allows selecting a navigation, which requests its link; minimal metadata omits links
    else if (!set.navigations.some((navigation) => navigation.name === name)) {
      throw optionFault(entity === scope.root ? '$select' : '$expand', noProperty(set, name), at);
    }
  }
  const values = set.properties
    .filter(({ name }) => selected.has(name))
    .map(({ name }): Member => ({ name, value: scope.column(entity, name)! }));
  return [...values, ...expandedMembers(scope, request.expand ?? [], entity)];
}

function expandedMembers(scope: EntityScope, expand: readonly Expansion[], entity: JoinedEntity): Shape {
  const seen = new Set<string>();
  return expand.flatMap((expansion) =>
    navigationsOf(entity, expansion).map((navigation): Member => {
      const { name } = navigation;
      if (seen.has(name)) throw optionFault('$expand', `${name} is given twice`, expansion.at);
      seen.add(name);
      const joined = scope.join(entity, navigation);
      return { name, members: entityShape(scope, expansion, joined), presence: scope.column(joined, 'id')!.sql };
    }),
  );
}

function navigationsOf({ set }: JoinedEntity, { navigation: name, at }: Expansion): readonly Navigation[] {
  if (name === ALL) return set.navigations;
  const found = set.navigations.filter((navigation) => navigation.name === name);
  if (found.length === 0) throw optionFault('$expand', noNavigation(set, name), at);
  return found;
}

/** The selected columns of an aggregation. */
export function selectedColumns(columns: readonly DerivedColumn[], select?: Selection): readonly DerivedColumn[] {
  for (const { name, at } of select ?? []) {
    const known = name === ALL || columns.some(({ path }) => path[0] === name);
    if (!known) throw optionFault('$select', noColumn(columns, name), at);
  }
  const wanted = (name: string): boolean => select?.some((item) => item.name === name || item.name === ALL) ?? true;
  return columns.filter(({ path }) => wanted(path[0]!));
}

/**
 * The columns of an aggregation, with those of navigations as nested objects.
 * @param annotation the name of a column's type, if it is to precede its value
 */
export function derivedShape(
  columns: readonly DerivedColumn[],
  annotation: (column: DerivedColumn) => string | undefined = () => undefined,
): Shape {
  const names = [...new Set(columns.map(({ path }) => path[0]!))];
  return names.flatMap((name): Member[] => {
    const own = columns.filter(({ path }) => path[0] === name);
    const [first] = own;
    if (first?.path.length !== 1) {
      return [{ name, members: derivedShape(own.map(({ path, value }) => ({ path: path.slice(1), value }))) }];
    }
    const member = { name, value: first.value };
    const type = annotation(first);
    return type === undefined ? [member] : [typeMember(name, type), member];
  });
}

const typeMember = (name: string, type: string): Member => ({
  name: name + TYPE_SUFFIX,
  value: { sql: `'#${type}'`, type: 'string', nullable: false },
});

const TYPE_SUFFIX = '@odata.type';
/** PostgreSQL truncates longer names. */
const MAX_NAME_LENGTH = 63;
/** Types whose values clients cannot distinguish from text. */
const LIKE_TEXT: Partial<Record<ValueType, string>> = { date: 'Date', instant: 'DateTimeOffset' };

/**
 * The type of an aggregate that clients would mistake for another, since the metadata does not declare it (OData JSON Format 4.0, 4.5.3).
 * Undefined if the annotation's name is too long for the database.
 */
export function undeclaredType(set: EntitySet, { path, value }: DerivedColumn): string | undefined {
  const [name = ''] = path;
  const declared = set.properties.find((property) => property.name === name);
  if (declared && VALUE_TYPES[declared.type] === value.type) return undefined;
  return name.length + TYPE_SUFFIX.length > MAX_NAME_LENGTH ? undefined : LIKE_TEXT[value.type];
}
