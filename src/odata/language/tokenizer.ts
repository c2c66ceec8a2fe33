import { optionFault } from './option-fault.js';

export type TokenKind = 'number' | 'string' | 'guid' | 'date' | 'instant' | 'name' | 'symbol' | 'end';

export interface Token {
  readonly kind: TokenKind;
  /** As written; for a string, the characters between the quotes, with `''` unescaped. */
  readonly text: string;
  /** Offset in the option's text. */
  readonly at: number;
}

/** Maximum length of an option in characters: more than clients write, and about as much as a URL has room for. */
const MAX_OPTION_LENGTH = 8_000;

/**
 * Tried in this order, since a date begins like a number and a GUID like a number or a name. The + of a time offset may arrive as a space,
 * to which form decoding turns an unescaped plus.
 */
const TOKENS: readonly (readonly [TokenKind, RegExp])[] = [
  ['instant', /\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,12})?)?(?:Z|[ +-]\d{2}:\d{2})?\b/iy],
  ['guid', /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/iy],
  ['date', /\d{4}-\d{2}-\d{2}\b/y],
  ['number', /-?(?:\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|INF)\b/y],
  ['name', /[$@]?[A-Za-z_]\w*/y],
  ['string', /'(?:[^']|'')*'/y],
  ['symbol', /[(),/=;*:-]/y],
];
const ZONE = /(?:Z|[ +-]\d{2}:\d{2})$/i;
const SPACE = /[ \t\r\n]*/y;

/**
 * The tokens of an OData expression (OData URL Conventions 4.0, ABNF), with `end` as the last.
 * @param option name of the query option, for the error
 * @throws {Problem} 400 at the first character that begins no token
 */
export function tokenize(option: string, text: string): Token[] {
  if (text.length > MAX_OPTION_LENGTH) throw optionFault(option, `must have at most ${MAX_OPTION_LENGTH} characters`);
  if (text.includes('\0')) throw optionFault(option, 'must not contain NUL characters', text.indexOf('\0'));
  const tokens: Token[] = [];
  let at = skipSpace(text, 0);
  while (at < text.length) {
    const token = readToken(option, text, at);
    tokens.push(token.token);
    at = skipSpace(text, token.end);
  }
  return [...tokens, { kind: 'end', text: '', at: text.length }];
}

function readToken(option: string, text: string, at: number): { token: Token; end: number } {
  for (const [kind, pattern] of TOKENS) {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0];
    if (found === undefined) continue;
    if (kind === 'instant' && !ZONE.test(found) && !/[.:+-]/.test(text.charAt(at + found.length))) {
      throw optionFault(option, `a date and time requires Z or an offset, such as ${found}Z`, at);
    }
    return { token: { kind, text: contentOf(kind, found), at }, end: at + found.length };
  }
  if (text[at] === "'") throw optionFault(option, 'a string is missing its closing quote', at);
  if (text[at] === '"') throw optionFault(option, 'use single quotes for strings', at);
  if (/[<>!]/.test(text[at]!))
    throw optionFault(option, 'use the operators eq, ne, gt, ge, lt, le for comparisons', at);
  throw optionFault(option, `unexpected ${JSON.stringify(String.fromCodePoint(text.codePointAt(at)!))}`, at);
}

function contentOf(kind: TokenKind, found: string): string {
  if (kind === 'string') return found.slice(1, -1).replaceAll("''", "'");
  return kind === 'instant' ? found.replace(' ', '+') : found;
}

function skipSpace(text: string, at: number): number {
  SPACE.lastIndex = at;
  SPACE.exec(text);
  return SPACE.lastIndex;
}
