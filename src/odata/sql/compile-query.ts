import { optionFault } from '../language/option-fault.js';
import type { EntitySet } from '../model/entity-set.js';
import type { FeedQuery } from '../query-options.js';
import { applyTransformations, type FilteredRows } from './apply-transformations.js';
import { compileCondition } from './compile-expression.js';
import type { Position } from './keyset.js';
import { longestPosition } from './longest-position.js';
import { compileOrder, totalOrder } from './order-terms.js';
import { countStatement, type PageRequest, pageStatement } from './page-statement.js';
import { type DerivedColumn, DerivedScope, EntityScope } from './row-scope.js';
import { derivedShape, entityShape, selectedColumns, undeclaredType } from './shape.js';
import type { SqlParameters } from './sql-parameters.js';

export interface StatementContext {
  readonly parameters: SqlParameters;
  readonly now: Date;
}

export interface CompiledPage {
  readonly sql: string;
  /** An upper bound for the position of any row, by its size in a token. */
  readonly longest: Position;
  /** The columns of the rows, if they result from an aggregation. */
  readonly columns?: readonly DerivedColumn[];
}

/** The rows that $apply and $filter leave. */
function compileRows(set: EntitySet, query: FeedQuery, statement: StatementContext): FilteredRows {
  const context = { ...statement, scope: new EntityScope(set) };
  const rows = applyTransformations(context, query.apply ?? []);
  if (!query.filter) return rows;
  const condition = compileCondition({ ...statement, option: '$filter', scope: rows.scope }, query.filter);
  return { scope: rows.scope, conditions: [...rows.conditions, condition] };
}

/** The number of rows that $apply and $filter leave. */
export function compileCount(set: EntitySet, query: FeedQuery, statement: StatementContext): string {
  return countStatement(compileRows(set, query, statement));
}

export interface PageOrder extends Pick<PageRequest, 'after' | 'skip' | 'limit'> {
  /** Whether aggregates are annotated with types that their values do not reveal. */
  readonly annotated?: boolean;
}

/** One page of the rows, in order. */
export function compilePage(
  set: EntitySet,
  query: FeedQuery,
  statement: StatementContext,
  { annotated = false, ...page }: PageOrder,
): CompiledPage {
  const { scope, conditions } = compileRows(set, query, statement);
  const asked = compileOrder({ ...statement, option: '$orderby', scope }, query.orderBy);
  if (scope instanceof DerivedScope && query.expand) {
    throw optionFault('$expand', 'cannot be combined with an aggregation, whose rows are not entities');
  }
  const columns = scope instanceof DerivedScope ? selectedColumns(scope.columns, query.select) : undefined;
  const shape =
    scope instanceof EntityScope
      ? entityShape(scope, query)
      : derivedShape(columns!, annotated ? (column) => undeclaredType(set, column) : undefined);
  const order = totalOrder(asked, scope.key);
  const sql = pageStatement({ scope, conditions, shape, order, ...page }, statement.parameters);
  return { sql, longest: longestPosition(order), ...(columns && { columns }) };
}
