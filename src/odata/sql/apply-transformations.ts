import type { Aggregate, Transformation } from '../language/ast.js';
import { optionFault } from '../language/option-fault.js';
import { compile, type CompileContext, compileCondition } from './compile-expression.js';
import { type DerivedColumn, DerivedScope, type EntityScope } from './row-scope.js';
import { asNumeric, type TypedSql, type ValueType } from './typed-sql.js';

/** Rows with the conditions that apply to them. */
export interface FilteredRows {
  readonly scope: EntityScope | DerivedScope;
  readonly conditions: readonly string[];
}

const OPTION = '$apply';
const ORDERED: readonly ValueType[] = ['integer', 'double', 'string', 'date', 'instant'];

export const whereClause = (conditions: readonly string[]): string =>
  conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;

/** The rows that $apply derives from the scope's, step by step. */
export function applyTransformations(
  context: Omit<CompileContext, 'option'> & Pick<FilteredRows, 'scope'>,
  steps: readonly Transformation[],
): FilteredRows {
  let rows: FilteredRows = { scope: context.scope, conditions: [] };
  for (const step of steps) {
    const within = { ...context, option: OPTION, scope: rows.scope };
    rows =
      step.kind === 'filter'
        ? { scope: rows.scope, conditions: [...rows.conditions, compileCondition(within, step.expression)] }
        : { scope: group(within, rows.conditions, step), conditions: [] };
  }
  return rows;
}

function group(
  context: CompileContext,
  conditions: readonly string[],
  { paths, aggregates }: Extract<Transformation, { kind: 'group' }>,
): DerivedScope {
  const columns: { path: readonly string[]; value: TypedSql }[] = [
    ...paths.map((path) => ({ path: path.segments, value: context.scope.property(OPTION, path) })),
    ...aggregates.map((aggregate) => ({ path: [aggregate.alias], value: compileAggregate(context, aggregate) })),
  ];
  refuseRepetition(columns, [...paths, ...aggregates]);
  const list = columns.map(({ value }, index) => `${value.sql} AS c${index}`).join(', ');
  const grouping = paths.length === 0 ? '' : `GROUP BY ${paths.map((_path, index) => index + 1).join(', ')}`;
  const rows = `SELECT ${list} FROM ${context.scope.from()} ${whereClause(conditions)} ${grouping}`;
  const derived = columns.map(({ path, value }, index): DerivedColumn => {
    const { type, nullable } = value;
    return { path, value: { sql: `t0.c${index}`, type, nullable, longest: value.longest } };
  });
  return new DerivedScope(rows, derived, paths.length);
}

/** Rejects duplicate columns, and columns that would be both an object and a value: a row cannot represent them. */
function refuseRepetition(columns: readonly { path: readonly string[] }[], sources: readonly { at: number }[]): void {
  const names = columns.map(({ path }) => path.join('/'));
  names.forEach((name, index) => {
    // aliases come last, so no path follows the alias that it begins with
    const clash = names.slice(0, index).some((other) => `${other}/`.startsWith(`${name}/`));
    if (clash) throw optionFault(OPTION, `${name} is given twice`, sources[index]!.at);
  });
}

function compileAggregate(context: CompileContext, { method, expression, at }: Aggregate): TypedSql {
  if (method === 'count' || !expression) return { sql: 'count(*)', type: 'integer', nullable: false };
  const value = compile(context, expression);
  const holdTo = (types: readonly ValueType[]): void => {
    if (!types.includes(value.type)) throw optionFault(OPTION, `${method} is not defined for this type`, at);
  };
  switch (method) {
    case 'countdistinct':
      return { sql: `count(DISTINCT ${value.sql})`, type: 'integer', nullable: false };
    case 'sum': {
      holdTo(['integer', 'double']);
      const type = value.type === 'integer' ? 'int8' : 'float8';
      return { sql: `sum(${exactly(value)})::${type}`, type: value.type, nullable: true };
    }
    case 'average':
      holdTo(['integer', 'double']);
      return { sql: `avg(${exactly(value)})::float8`, type: 'double', nullable: true };
    case 'min':
    case 'max':
      holdTo(ORDERED);
      return { sql: `${method}(${value.sql})`, type: value.type, nullable: true, longest: value.longest };
  }
}

/** Sums of floats depend on the order of the rows: added exactly, they are the same on every page of a result. */
const exactly = ({ sql, type }: TypedSql): string => (type === 'integer' ? sql : asNumeric(sql));
