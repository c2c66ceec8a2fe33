import { describe, expect, it } from '@jest/globals';
import type { Expression } from './ast.js';
import { parseApply, parseExpand, parseFilter, parseOrderBy, parseSelect } from './parse-options.js';

/** The tree, fully parenthesized. */
function shown(expression: Expression): string {
  switch (expression.kind) {
    case 'literal':
      return expression.text;
    case 'path':
      return expression.segments.join('/');
    case 'unary':
      return `(${expression.operator} ${shown(expression.operand)})`;
    case 'binary':
      return `(${shown(expression.left)} ${expression.operator} ${shown(expression.right)})`;
    case 'in':
      return `(${shown(expression.left)} in ${expression.items.map(shown).join('|')})`;
    case 'call':
      return `${expression.name}(${expression.arguments.map(shown).join(', ')})`;
  }
}

describe('expressions', () => {
  it.each([
    ['a or b and c', '(a or (b and c))'],
    ['a and b or c', '((a and b) or c)'],
    ['a eq b and c ne d', '((a eq b) and (c ne d))'],
    ['a eq b gt c', '(a eq (b gt c))'],
    ['a ne b le c', '(a ne (b le c))'],
    ['a eq b ne c', '((a eq b) ne c)'],
    ['a in (1) eq b', '((a in 1) eq b)'],
    ['a eq b in (1)', '((a eq b) in 1)'],
    ['a ge b gt c le d lt e', '((((a ge b) gt c) le d) lt e)'],
    ['a sub b add c', '((a sub b) add c)'],
    ['a mul b div c', '((a mul b) div c)'],
    ['-a div b', '((negate a) div b)'],
    ["a eq 'eq'", '(a eq eq)'],
    ['a ge b add c', '(a ge (b add c))'],
    ['a mod b mul c', '((a mod b) mul c)'],
    ['a mul b mod c', '((a mul b) mod c)'],
    ['a lt b in (1)', '((a lt b) in 1)'],
    ['a add b mul c', '(a add (b mul c))'],
    ['a sub b sub c', '((a sub b) sub c)'],
    ['a div b mul c mod d', '(((a div b) mul c) mod d)'],
    ['a add b gt c sub d', '((a add b) gt (c sub d))'],
    ['not a eq b', '(not (a eq b))'],
    ['not a and b', '((not a) and b)'],
    ['not not a', '(not (not a))'],
    ['- a mul b', '((negate a) mul b)'],
    ['-(a add 1) lt 0', '((negate (a add 1)) lt 0)'],
    ['(a or b) and c', '((a or b) and c)'],
    ['a in (1,2) or b', '((a in 1|2) or b)'],
    ['x/y/z eq null', '(x/y/z eq null)'],
    ['f(a,g(b) add 1) eq now()', '(f(a, (g(b) add 1)) eq now())'],
  ])('parse %s as %s', (text, tree) => {
    expect(shown(parseFilter(text))).toBe(tree);
  });

  it.each([
    '',
    'a eq',
    'eq a',
    'a b',
    '(a',
    'a)',
    'f(a',
    'f(a,)',
    'a in 1',
    'a in ()',
    'a/',
    '/a',
    'a eq eq b',
    '@p eq 1',
  ])('are rejected: %j', (text) => {
    expect(() => parseFilter(text)).toThrow(/invalid_request|not_implemented/);
  });
});

describe('constants', () => {
  it.each([
    ['true', 'boolean'],
    ['null', 'null'],
    ['-5', 'integer'],
    ['5.0', 'double'],
    ['NaN', 'double'],
    ["'5'", 'string'],
    ['2026-11-22', 'date'],
  ])('%s has the type %s', (text, type) => {
    expect(parseFilter(text)).toMatchObject({ kind: 'literal', type });
  });
});

describe('the size of an expression', () => {
  it.each([
    ['parentheses', '(', 'a', ')'],
    ['negations', '- ', 'a', ''],
    ['not operators', 'not ', 'a', ''],
    ['calls', 'f(', 'a', ')'],
  ])('is limited to forty nested %s', (_, open, inner, close) => {
    const nested = (depth: number) => open.repeat(depth) + inner + close.repeat(depth);
    expect(() => parseFilter(nested(40))).not.toThrow();
    expect(() => parseFilter(nested(41))).toThrow('nested more than 40 deep');
  });

  it('is limited to four hundred parts', () => {
    // the property, the operator in and `constants` constants
    const list = (constants: number) => `a in (${new Array<number>(constants).fill(1).join(',')})`;
    expect(() => parseFilter(list(398))).not.toThrow();
    expect(() => parseFilter(list(399))).toThrow('more than 400 parts');
  });
});

describe('unexpected input', () => {
  it.each([
    ['a eq', 'at character 5: expected a property, a constant or a function, found the end'],
    ['a eq b)', 'at character 7: expected an operator such as eq or the end, found ")"'],
    [`a in ('${'x'.repeat(50)}' b)`, 'expected ), found "b"'],
    [
      `a ${'x'.repeat(50)}`,
      `expected an operator such as eq or the end, found "${'x'.repeat(40)}"; put strings in quotes`,
    ],
    [
      `a ge datetime'2026-01-31T00:00:00'`,
      'at character 6: write dates, times and GUIDs without datetime and without quotes',
    ],
    [`a ge now() sub duration'P30D'`, 'at character 16: the feed has no durations; compare with a date or time'],
  ])('is reported with its position: %s', (text, message) => {
    expect(() => parseFilter(text)).toThrow(message);
  });
});

describe('other query options', () => {
  it.each([
    [() => parseOrderBy('a descending'), 'expected asc, desc, a comma or the end, found "descending"'],
    [() => parseSelect('a b'), 'expected a comma or the end, found "b"'],
    [() => parseApply('filter(a), filter(b)'), 'expected / or the end, found ","'],
  ])('list what may follow: %#', (parsing, message) => {
    expect(parsing).toThrow(message);
  });

  it('accept a list of expressions with directions in $orderby', () => {
    const items = parseOrderBy('a add 1 desc, b/c asc,d');
    expect(items.map(({ expression, descending }) => [shown(expression), descending])).toEqual([
      ['(a add 1)', true],
      ['b/c', false],
      ['d', false],
    ]);
  });

  it('allow at most thirty terms in $orderby', () => {
    const terms = (count: number) => new Array<string>(count).fill('a').join(',');
    expect(parseOrderBy(terms(30))).toHaveLength(30);
    expect(() => parseOrderBy(terms(31))).toThrow('more than 30 terms');
  });

  it('allow as an alias in $apply only a name that PostgreSQL does not truncate', () => {
    const aliased = (alias: string) => () => parseApply(`aggregate(a with sum as ${alias})`);
    expect(aliased('_'.repeat(60))).not.toThrow();
    for (const wrong of ['_'.repeat(61), '$count', '@a', '1']) expect(aliased(wrong)).toThrow('invalid_request');
  });

  it('allow nesting in $select and $expand', () => {
    expect(parseSelect('a,*, b').map(({ name }) => name)).toEqual(['a', '*', 'b']);
    const [first, second] = parseExpand('x($select=a,b;$expand=y($select=c)),*');
    expect(first).toMatchObject({
      navigation: 'x',
      select: [{ name: 'a' }, { name: 'b' }],
      expand: [{ navigation: 'y' }],
    });
    expect(second).toMatchObject({ navigation: '*' });
    expect(parseExpand('x($expand=x($expand=x))')).toHaveLength(1);
    expect(() => parseExpand('x/$ref')).toThrow('not_implemented');
    expect(() => parseExpand('a,x/y')).toThrow('at character 3: use x($expand=y) to expand further');
    expect(() => parseSelect('a,x/b')).toThrow('at character 3: use $expand=x($select=…) for properties of x');
    for (const wrong of [
      'x(',
      'x()',
      'x($top=1)',
      'x($orderby=a)',
      'x($select=a;$select=b)',
      'x($expand=a;$expand=b)',
      'x($expand=x($expand=x($expand=x)))',
    ])
      expect(() => parseExpand(wrong)).toThrow(/invalid_request|not_implemented/);
  });

  it('accept steps in $apply', () => {
    expect(
      parseApply('filter(a)/groupby((b,c/d),aggregate(e mul 2 with sum as f,$count as g))/aggregate(f with max as h)'),
    ).toMatchObject([
      { kind: 'filter', expression: { segments: ['a'] } },
      {
        kind: 'group',
        paths: [{ segments: ['b'] }, { segments: ['c', 'd'] }],
        aggregates: [
          { method: 'sum', alias: 'f' },
          { method: 'count', alias: 'g' },
        ],
      },
      { kind: 'group', paths: [], aggregates: [{ method: 'max', alias: 'h' }] },
    ]);
    expect(() => parseApply(Array(11).fill('filter(a)').join('/'))).toThrow('more than 10 steps');
    expect(() => parseApply('filter(a)/concat(b)')).toThrow(
      'at character 11: the feed supports filter, groupby and aggregate',
    );
    expect(() => parseApply('groupby((a,year(b)))')).toThrow(
      'at character 16: groupby supports properties, such as month,',
    );
    expect(() => parseApply('aggregate(a with median as b)')).toThrow('at character 18: the methods are ');
  });
});
