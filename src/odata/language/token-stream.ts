import type { Problem } from '../../platform/http/problem.js';
import { optionFault } from './option-fault.js';
import { type Token, tokenize, type TokenKind } from './tokenizer.js';

/** The tokens of one query option, read from left to right. */
export class TokenStream {
  private readonly tokens: readonly Token[];
  private position = 0;

  constructor(
    readonly option: string,
    text: string,
  ) {
    this.tokens = tokenize(option, text);
  }

  peek(): Token {
    return this.tokens[this.position]!;
  }

  next(): Token {
    const token = this.peek();
    if (token.kind !== 'end') this.position += 1;
    return token;
  }

  /** Whether the next token is this symbol or word; does not consume it. */
  sees(text: string, kind: TokenKind = 'symbol'): boolean {
    const token = this.peek();
    return token.kind === kind && token.text === text;
  }

  /** Consumes the next token if it is this symbol or word. */
  take(text: string, kind: TokenKind = 'symbol'): boolean {
    const seen = this.sees(text, kind);
    if (seen) this.next();
    return seen;
  }

  expect(text: string, kind: TokenKind = 'symbol'): Token {
    if (!this.sees(text, kind)) throw this.unexpected(`expected ${text}`);
    return this.next();
  }

  expectName(what: string): Token {
    if (this.peek().kind !== 'name') throw this.unexpected(`expected ${what}`);
    return this.next();
  }

  /**
   * @param continuation what may follow instead of the end
   * @param advice for what begins like a further part of a string without quotes, such as `-1001` after `SKU`
   */
  expectEnd(continuation?: string, advice = ''): void {
    const { kind, text } = this.peek();
    if (kind === 'end') return;
    const expected = continuation === undefined ? 'the end' : `${continuation} or the end`;
    throw this.unexpected(`expected ${expected}`, kind !== 'symbol' || text === '-' ? advice : '');
  }

  /** One or more items, separated by commas. */
  list<Item>(item: () => Item): Item[] {
    const items = [item()];
    while (this.take(',')) items.push(item());
    return items;
  }

  unexpected(expected: string, advice = ''): Problem {
    const { kind, text, at } = this.peek();
    const found = kind === 'end' ? 'the end' : JSON.stringify(text.slice(0, 40));
    return this.fault(`${expected}, found ${found}${advice}`, at);
  }

  fault(message: string, at: number): Problem {
    return optionFault(this.option, message, at);
  }
}
