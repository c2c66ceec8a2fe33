import type { PropertyPath } from '../language/ast.js';
import { optionFault } from '../language/option-fault.js';
import type { EntitySet, Navigation } from '../model/entity-set.js';
import { entitySet } from '../model/model.js';
import { type TypedSql, VALUE_TYPES } from './typed-sql.js';
import { noColumn, noNavigation, noPath } from './unknown-name.js';

/** The rows that a query reads: their properties as SQL, and their FROM clause. */
export interface RowScope {
  /** @throws {Problem} 400 for a path that leads nowhere */
  property(option: string, path: PropertyPath): TypedSql;
  from(): string;
  /** SQL of the values that together identify a row; empty if there is only one row. */
  readonly key: readonly TypedSql[];
}

/** One joined entity. */
export interface JoinedEntity {
  readonly set: EntitySet;
  readonly alias: string;
  /** The navigations that lead to it from the rows of the query, joined by slashes; empty for the rows themselves. */
  readonly path: string;
}

const quoted = (name: string): string => `"${name}"`;

/** The rows of an entity set, joined with the navigable entities that the query uses. */
export class EntityScope implements RowScope {
  readonly root: JoinedEntity;
  private readonly joins = new Map<string, JoinedEntity & { readonly sql: string }>();
  /** Whether it was asked for a property that packed rows do not have. */
  private unpacks = false;

  constructor(set: EntitySet) {
    this.root = { set, alias: 't0', path: '' };
  }

  get key(): readonly TypedSql[] {
    return this.root.set.key.map((name) => this.column(this.root, name)!);
  }

  from(): string {
    return this.joined(this.root.set.source);
  }

  /** The FROM clause of packed rows; undefined if the set has none, or if they lack a property that was asked for. */
  fromPacked(): string | undefined {
    const { packed } = this.root.set;
    return packed === undefined || this.unpacks ? undefined : this.joined(packed);
  }

  private joined(source: string): string {
    const joins = [...this.joins.values()].map(({ sql }) => sql);
    return [`(${source}) AS ${this.root.alias}`, ...joins].join('\n  ');
  }

  property(option: string, path: PropertyPath): TypedSql {
    const navigations = path.segments.slice(0, -1);
    const name = path.segments.at(-1)!;
    let entity = this.root;
    let mayBeGone = false;
    for (const [depth, segment] of navigations.entries()) {
      const navigation = entity.set.navigations.find((known) => known.name === segment);
      if (!navigation) throw optionFault(option, noNavigation(entity.set, segment), path.at);
      const carried = depth === navigations.length - 1 && navigation.carries?.includes(name);
      entity = carried ? { ...entity, set: entitySet(navigation.target) } : this.join(entity, navigation);
      mayBeGone ||= navigation.nullable;
    }
    const column = this.column(entity, name);
    if (!column) throw optionFault(option, noPath(entity.set, name, option), path.at);
    return mayBeGone ? { ...column, nullable: true } : column;
  }

  /** The entity that the navigation leads to, joined once however often it is used. */
  join(from: JoinedEntity, navigation: Navigation): JoinedEntity {
    const path = from.path === '' ? navigation.name : `${from.path}/${navigation.name}`;
    const known = this.joins.get(path);
    if (known) return known;
    const set = entitySet(navigation.target);
    const alias = `t${this.joins.size + 1}`;
    const sql = `LEFT JOIN (${set.source}) AS ${alias} ON ${alias}.id = ${from.alias}.${quoted(navigation.by)}`;
    const joined = { set, alias, path, sql };
    this.joins.set(path, joined);
    return joined;
  }

  column({ set, alias }: JoinedEntity, name: string): TypedSql | undefined {
    const found = set.properties.find((property) => property.name === name);
    if (!found) return undefined;
    this.unpacks ||= found.unpacked === true;
    const within = found.within?.map((bound) => `${alias}.${bound}`) as [string, string] | undefined;
    return {
      sql: `${alias}.${quoted(name)}`,
      type: VALUE_TYPES[found.type],
      nullable: found.nullable,
      within,
      stored: found.stored === undefined ? undefined : `${alias}.${found.stored}`,
      longest: found.longest,
    };
  }
}

/** A column of an aggregation: a property by its path, or an aggregate by its alias. */
export interface DerivedColumn {
  readonly path: readonly string[];
  readonly value: TypedSql;
}

/** The rows of an aggregation. */
export class DerivedScope implements RowScope {
  /**
   * @param rows a SELECT with the columns c0, c1 … in the order of `columns`
   * @param grouped the number of leading columns that the rows were grouped by
   */
  constructor(
    private readonly rows: string,
    readonly columns: readonly DerivedColumn[],
    private readonly grouped: number,
  ) {}

  get key(): readonly TypedSql[] {
    return this.columns.slice(0, this.grouped).map(({ value }) => value);
  }

  from(): string {
    return `(${this.rows}) AS t0`;
  }

  property(option: string, path: PropertyPath): TypedSql {
    const name = path.segments.join('/');
    const column = this.columns.find((known) => known.path.join('/') === name);
    if (!column) throw optionFault(option, noColumn(this.columns, name), path.at);
    return column.value;
  }
}
