import type { BinaryOperator, Expression, Literal, PropertyPath } from './ast.js';
import { notImplemented } from './option-fault.js';
import type { TokenStream } from './token-stream.js';
import type { Token } from './tokenizer.js';

/** Binding powers, weakest first (OData URL Conventions 4.0, 5.1.1.9). All binary operators are left-associative. */
const BINARY: Readonly<Record<string, number>> = {
  or: 1,
  and: 2,
  eq: 4,
  ne: 4,
  in: 4,
  gt: 5,
  ge: 5,
  lt: 5,
  le: 5,
  add: 6,
  sub: 6,
  mul: 7,
  div: 7,
  mod: 7,
};
/** `not a eq b` is `not (a eq b)`, as in the ABNF, so `not` binds weaker than comparisons. */
const NOT = 3;
const NEGATE = 8;

/** Types that OData versions 2 and 3 wrote before a quoted literal. */
const QUOTED_BEFORE = /^(?:datetime|datetimeoffset|time|guid)$/i;
const DEEPEST = 40;
const MAX_NODES = 400;

/**
 * Parses one expression (a Pratt parser) and leaves the stream after it.
 * @throws {Problem} 400 with the character at fault; 501 for parts of the language that the feed does not support
 */
export function parseExpression(stream: TokenStream): Expression {
  return new ExpressionParser(stream).parse(0, 0);
}

class ExpressionParser {
  private nodes = 0;

  constructor(private readonly stream: TokenStream) {}

  parse(power: number, depth: number): Expression {
    const { stream } = this;
    if (depth > DEEPEST) throw stream.fault(`nested more than ${DEEPEST} deep`, stream.peek().at);
    let left = this.operand(depth);
    for (;;) {
      const token = stream.peek();
      const binding = token.kind === 'name' && Object.hasOwn(BINARY, token.text) ? BINARY[token.text]! : 0;
      if (binding <= power) return left;
      stream.next();
      if (token.text === 'in') left = this.counted({ kind: 'in', left, items: this.literals(), at: token.at });
      else {
        const operator = token.text as BinaryOperator;
        left = this.counted({ kind: 'binary', operator, left, right: this.parse(binding, depth + 1), at: token.at });
      }
    }
  }

  /** What may precede an operator: a constant, a property, a call, a prefix, or something in parentheses. */
  private operand(depth: number): Expression {
    const { stream } = this;
    const literal = takeLiteral(stream);
    if (literal) return this.counted(literal);
    const { at } = stream.peek();
    if (stream.take('(')) {
      const inner = this.parse(0, depth + 1);
      stream.expect(')');
      return inner;
    }
    if (stream.take('-')) {
      return this.counted({ kind: 'unary', operator: 'negate', operand: this.parse(NEGATE, depth + 1), at });
    }
    const name = stream.expectName('a property, a constant or a function');
    if (name.text === 'not') {
      return this.counted({ kind: 'unary', operator: 'not', operand: this.parse(NOT, depth + 1), at });
    }
    if (name.text.startsWith('@')) throw notImplemented('parameter aliases');
    if (stream.take('(')) return this.counted(this.call(name, depth));
    if (stream.peek().kind === 'string' && QUOTED_BEFORE.test(name.text)) {
      throw stream.fault(`write dates, times and GUIDs without ${name.text} and without quotes`, at);
    }
    if (stream.peek().kind === 'string' && name.text === 'duration') {
      throw stream.fault('the feed has no durations; compare with a date or time', at);
    }
    return this.counted(parsePath(stream, name));
  }

  private call(name: Token, depth: number): Expression {
    const { stream } = this;
    const call = stream.take(')') ? [] : stream.list(() => this.parse(0, depth + 1));
    if (call.length > 0) stream.expect(')');
    return { kind: 'call', name: name.text, arguments: call, at: name.at };
  }

  private literals(): Literal[] {
    const { stream } = this;
    stream.expect('(');
    const items = stream.list(() => {
      const literal = takeLiteral(stream);
      if (!literal) throw stream.unexpected('expected a constant');
      return this.counted(literal);
    });
    stream.expect(')');
    return items;
  }

  private counted<Node extends Expression>(node: Node): Node {
    this.nodes += 1;
    if (this.nodes > MAX_NODES) throw this.stream.fault(`more than ${MAX_NODES} parts`, node.at);
    return node;
  }
}

/** `name` or `navigation/name`; the first name has been consumed. */
export function parsePath(stream: TokenStream, first: Token): PropertyPath {
  const segments = [first.text];
  while (stream.take('/')) segments.push(stream.expectName('a property').text);
  return { kind: 'path', segments, at: first.at };
}

/** The next token, if it is a constant. */
export function takeLiteral(stream: TokenStream): Literal | undefined {
  const token = stream.peek();
  const type = literalType(token);
  if (type === undefined) return undefined;
  stream.next();
  return { kind: 'literal', type, text: token.text, at: token.at };
}

function literalType({ kind, text }: Token): Literal['type'] | undefined {
  switch (kind) {
    case 'string':
    case 'guid':
    case 'date':
    case 'instant':
      return kind;
    case 'number':
      return /^-?\d+$/.test(text) ? 'integer' : 'double';
    case 'name':
      if (text === 'null') return 'null';
      if (text === 'true' || text === 'false') return 'boolean';
      return text === 'NaN' ? 'double' : undefined;
    case 'symbol':
    case 'end':
      return undefined;
  }
}
