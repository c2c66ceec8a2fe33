import {
  type Aggregate,
  AGGREGATION_METHODS,
  type Expansion,
  type Expression,
  type OrderItem,
  type PropertyPath,
  type SelectExpand,
  type Selection,
  type Transformation,
} from './ast.js';
import { notImplemented, QUOTES_MISSING } from './option-fault.js';
import { parseExpression, parsePath } from './parse-expression.js';
import { TokenStream } from './token-stream.js';

const DEEPEST_EXPANSION = 3;
/** Other options that OData allows for single-valued navigations; the rest are for collections. */
const UNKNOWN_OF_NAVIGATIONS = ['$levels', '$compute'];
const MAX_TRANSFORMATIONS = 10;
const MAX_ORDER_TERMS = 30;
/** PostgreSQL truncates longer names. */
const MAX_ALIAS_LENGTH = 60;

/** @param continuation what may follow a part of the option */
function whole<Result>(
  option: string,
  text: string,
  continuation: string,
  parse: (stream: TokenStream) => Result,
  advice?: string,
): Result {
  const stream = new TokenStream(option, text);
  const result = parse(stream);
  stream.expectEnd(continuation, advice);
  return result;
}

/** @throws {Problem} 400 with the character at fault, like all parsers here */
export const parseFilter = (text: string): Expression =>
  whole('$filter', text, 'an operator such as eq', parseExpression, QUOTES_MISSING);

export const parseSelect = (text: string): Selection => whole('$select', text, 'a comma', selection);

export const parseExpand = (text: string): readonly Expansion[] =>
  whole('$expand', text, 'a comma', (stream) => expansions(stream, 1));

export const parseApply = (text: string): readonly Transformation[] => whole('$apply', text, '/', transformations);

export const parseOrderBy = (text: string): readonly OrderItem[] =>
  whole('$orderby', text, 'asc, desc, a comma', (stream) => {
    let terms = 0;
    return stream.list(() => {
      terms += 1;
      if (terms > MAX_ORDER_TERMS) throw stream.fault(`more than ${MAX_ORDER_TERMS} terms`, stream.peek().at);
      const expression = parseExpression(stream);
      const descending = stream.take('desc', 'name');
      if (!descending) stream.take('asc', 'name');
      return { expression, descending };
    });
  });

function selection(stream: TokenStream): Selection {
  return stream.list(() => {
    const { at } = stream.peek();
    const name = stream.take('*') ? '*' : stream.expectName('a property').text;
    if (stream.sees('/')) throw stream.fault(`use $expand=${name}($select=…) for properties of ${name}`, at);
    return { name, at };
  });
}

function expansions(stream: TokenStream, depth: number): readonly Expansion[] {
  return stream.list((): Expansion => {
    const { at } = stream.peek();
    if (depth > DEEPEST_EXPANSION) throw stream.fault(`nested more than ${DEEPEST_EXPANSION} deep`, at);
    const navigation = stream.take('*') ? '*' : stream.expectName('a navigation property').text;
    if (stream.take('/')) {
      const { text: next } = stream.next();
      if (next.startsWith('$')) throw notImplemented(`${next} in $expand`);
      throw stream.fault(`use ${navigation}($expand=${next}) to expand further`, at);
    }
    if (!stream.take('(')) return { navigation, at };
    const options = expansionOptions(stream, depth);
    stream.expect(')');
    return { navigation, at, ...options };
  });
}

function expansionOptions(stream: TokenStream, depth: number): SelectExpand {
  const options: { -readonly [Name in keyof SelectExpand]: SelectExpand[Name] } = {};
  do {
    const { text: name, at } = stream.expectName('$select or $expand');
    stream.expect('=');
    if (name === '$select' && !options.select) options.select = selection(stream);
    else if (name === '$expand' && !options.expand) options.expand = expansions(stream, depth + 1);
    else if (UNKNOWN_OF_NAVIGATIONS.includes(name)) throw notImplemented(`${name} in $expand`);
    else
      throw stream.fault(
        `a single-valued navigation property supports only $select and $expand, each once, not ${name}`,
        at,
      );
  } while (stream.take(';'));
  return options;
}

function transformations(stream: TokenStream): readonly Transformation[] {
  const steps = [transformation(stream)];
  while (stream.take('/')) {
    if (steps.length === MAX_TRANSFORMATIONS) throw stream.fault(`more than ${steps.length} steps`, stream.peek().at);
    steps.push(transformation(stream));
  }
  return steps;
}

function transformation(stream: TokenStream): Transformation {
  const { text: name, at } = stream.expectName('filter, groupby or aggregate');
  stream.expect('(');
  const step = transformationCalled(stream, name);
  if (!step) throw stream.fault(`the feed supports filter, groupby and aggregate, not ${name}`, at);
  stream.expect(')');
  return step;
}

function transformationCalled(stream: TokenStream, name: string): Transformation | undefined {
  switch (name) {
    case 'filter':
      return { kind: 'filter', expression: parseExpression(stream) };
    case 'aggregate':
      return { kind: 'group', paths: [], aggregates: aggregates(stream) };
    case 'groupby':
      return groupBy(stream);
    default:
      return undefined;
  }
}

function groupBy(stream: TokenStream): Transformation {
  stream.expect('(');
  const paths = stream.list((): PropertyPath => parsePath(stream, stream.expectName('a property')));
  if (stream.sees('('))
    throw stream.fault('groupby supports properties, such as month, but not functions', stream.peek().at);
  stream.expect(')');
  if (!stream.take(',')) return { kind: 'group', paths, aggregates: [] };
  stream.expect('aggregate', 'name');
  stream.expect('(');
  const group: Transformation = { kind: 'group', paths, aggregates: aggregates(stream) };
  stream.expect(')');
  return group;
}

function aggregates(stream: TokenStream): readonly Aggregate[] {
  return stream.list((): Aggregate => {
    const { at } = stream.peek();
    if (stream.take('$count', 'name')) return { method: 'count', alias: alias(stream), at };
    const expression = parseExpression(stream);
    stream.expect('with', 'name');
    const named = stream.expectName(AGGREGATION_METHODS.join(', '));
    const method = AGGREGATION_METHODS.find((known) => known === named.text);
    if (!method) throw stream.fault(`the methods are ${AGGREGATION_METHODS.join(', ')}`, named.at);
    return { method, expression, alias: alias(stream), at };
  });
}

function alias(stream: TokenStream): string {
  stream.expect('as', 'name');
  const { text, at } = stream.expectName('an alias');
  if (!/^[A-Za-z_]/.test(text) || text.length > MAX_ALIAS_LENGTH) {
    throw stream.fault(`an alias must consist of 1 to ${MAX_ALIAS_LENGTH} letters, digits and underscores`, at);
  }
  return text;
}
