/** A constant as written; `integer` and `double` by its form, not its size. */
export interface Literal {
  readonly kind: 'literal';
  readonly type: 'null' | 'boolean' | 'integer' | 'double' | 'string' | 'guid' | 'date' | 'instant';
  readonly text: string;
  readonly at: number;
}

/** A property, reached through single-valued navigations: `series/category`. */
export interface PropertyPath {
  readonly kind: 'path';
  readonly segments: readonly string[];
  readonly at: number;
}

export type ComparisonOperator = 'eq' | 'ne' | 'gt' | 'ge' | 'lt' | 'le';
export type ArithmeticOperator = 'add' | 'sub' | 'mul' | 'div' | 'mod';
export type LogicalOperator = 'and' | 'or';
export type BinaryOperator = ComparisonOperator | ArithmeticOperator | LogicalOperator;

/** An expression in $filter, $orderby or $apply. `at` is its offset in the option's text. */
export type Expression =
  | Literal
  | PropertyPath
  | {
      readonly kind: 'unary';
      readonly operator: 'not' | 'negate';
      readonly operand: Expression;
      readonly at: number;
    }
  | {
      readonly kind: 'binary';
      readonly operator: BinaryOperator;
      readonly left: Expression;
      readonly right: Expression;
      readonly at: number;
    }
  | { readonly kind: 'in'; readonly left: Expression; readonly items: readonly Literal[]; readonly at: number }
  | { readonly kind: 'call'; readonly name: string; readonly arguments: readonly Expression[]; readonly at: number };

/** What $select names: properties, or `*`. */
export type Selection = readonly { readonly name: string; readonly at: number }[];

/** The requested parts of an entity: its properties (all if none are named) and the entities to expand. */
export interface SelectExpand {
  readonly select?: Selection | undefined;
  readonly expand?: readonly Expansion[] | undefined;
}

export interface Expansion extends SelectExpand {
  /** A single-valued navigation, or `*` for all of them. */
  readonly navigation: string;
  readonly at: number;
}

export interface OrderItem {
  readonly expression: Expression;
  readonly descending: boolean;
}

export const AGGREGATION_METHODS = ['sum', 'average', 'min', 'max', 'countdistinct'] as const;

/** `expression with method as alias`, or `$count as alias`. */
export interface Aggregate {
  readonly method: (typeof AGGREGATION_METHODS)[number] | 'count';
  /** Absent for `count`. */
  readonly expression?: Expression;
  readonly alias: string;
  readonly at: number;
}

/** One step of $apply. A `groupby` without aggregates yields the distinct combinations; without paths, one row. */
export type Transformation =
  | { readonly kind: 'filter'; readonly expression: Expression }
  | { readonly kind: 'group'; readonly paths: readonly PropertyPath[]; readonly aggregates: readonly Aggregate[] };
