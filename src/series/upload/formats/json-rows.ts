import { UnreadableBody } from '../faults.js';
import type { RowCollector } from '../row-collector.js';
import { flatCopy } from './flat-text.js';
import { addObjectRow, reasonAgainstJson } from './object-rows.js';
import { MAX_RECORD_LENGTH, type RowsReader } from './rows-reader.js';

const QUOTE = 34;
const OPENING_BRACE = 123;
const CLOSING_BRACE = 125;
const OPENING_BRACKET = 91;
const CLOSING_BRACKET = 93;

const BLANKS = /[ \t\n\r]*/y;
const ENVELOPE = '{"workspace_id": …, "rows": […]}';
/** How many members are named if `rows` is missing: enough for those of a single row sent by mistake. */
const NAMED_MEMBERS = 10;
/** Maximum characters in the members besides `rows`, which are kept in memory until the end. */
const MAX_ENVELOPE_LENGTH = 10_000;

type State = 'start' | 'first_member' | 'member' | 'after_member' | 'first_row' | 'row' | 'after_row' | 'done';
const STATES_OF_ROWS: ReadonlySet<State> = new Set(['first_row', 'row', 'after_row']);

/**
 * Rows of `{"workspace_id": …, "fill": …, "rows": [{…}, …]}` from text that arrives in pieces. The envelope is scanned by hand and each
 * member or row parsed separately, so that memory does not grow with the number of rows.
 */
export class JsonRows implements RowsReader {
  /** Members besides `rows`, complete when the body has ended. */
  readonly members: Record<string, unknown> = {};
  private rest = '';
  private rowCount = 0;
  private envelope = 0;
  private state: State = 'start';
  private sawRows = false;

  constructor(private readonly rows: RowCollector) {}

  /** JSON rows need not have lines of their own: faults give the row number, or 0 outside the rows. */
  get line(): number {
    return STATES_OF_ROWS.has(this.state) ? this.rowCount + 1 : 0;
  }

  push(piece: string): void {
    const text = this.rest === '' ? piece : flatCopy(this.rest + piece);
    let at = 0;
    for (;;) {
      at = skipBlanks(text, at);
      const next = at < text.length ? this.step(text, at) : -1;
      if (next < 0) break;
      at = next;
    }
    this.rest = text.slice(at);
    if (this.rest.length > MAX_RECORD_LENGTH)
      throw this.fault(`contains a value longer than ${MAX_RECORD_LENGTH} characters`);
  }

  end(): void {
    if (this.state !== 'done') throw this.fault('ends before the JSON is complete');
    if (!this.sawRows) throw new UnreadableBody(0, missingRows(Object.keys(this.members)), 'rows');
  }

  /** Reads the token or value at `at`; returns the position after it, or -1 if its end has not arrived. */
  private step(text: string, at: number): number {
    switch (this.state) {
      case 'start':
        this.expect(text[at] === '{', `the body as a whole must be one JSON object ${ENVELOPE}`);
        this.state = 'first_member';
        return at + 1;
      case 'first_member':
      case 'member':
        if (text[at] === '}' && this.state === 'first_member') return this.close(at);
        return this.readMember(text, at);
      case 'after_member':
        if (text[at] === '}') return this.close(at);
        this.expect(text[at] === ',', 'is not valid JSON');
        this.state = 'member';
        return at + 1;
      case 'first_row':
      case 'row':
        if (text[at] === ']' && this.state === 'first_row') return this.closeRows(at);
        return this.readRow(text, at);
      case 'after_row':
        if (text[at] === ']') return this.closeRows(at);
        this.expect(text[at] === ',', `is not valid JSON after row ${this.rowCount}`);
        this.state = 'row';
        return at + 1;
      case 'done':
        throw this.fault('has text after the JSON; one object per line is application/x-ndjson');
    }
  }

  private close(at: number): number {
    this.state = 'done';
    return at + 1;
  }

  private closeRows(at: number): number {
    this.state = 'after_member';
    return at + 1;
  }

  private readMember(text: string, at: number): number {
    this.expect(text[at] === '"', 'is not valid JSON');
    const keyEnd = endOfValue(text, at);
    if (keyEnd < 0) return -1;
    const colon = skipBlanks(text, keyEnd);
    if (colon >= text.length) return -1;
    this.expect(text[colon] === ':', 'is not valid JSON');
    const valueAt = skipBlanks(text, colon + 1);
    if (valueAt >= text.length) return -1;
    const key = this.parse(text.slice(at, keyEnd)) as string;
    if (key === 'rows') {
      if (text[valueAt] !== '[' || this.sawRows)
        throw new UnreadableBody(0, 'must be a single array of objects', 'rows');
      this.sawRows = true;
      this.state = 'first_row';
      return valueAt + 1;
    }
    const end = endOfValue(text, valueAt);
    if (end < 0) return -1;
    this.envelope += end - at;
    if (this.envelope > MAX_ENVELOPE_LENGTH)
      throw this.fault(`contains more than ${MAX_ENVELOPE_LENGTH} characters outside rows; it must be ${ENVELOPE}`);
    if (Object.hasOwn(this.members, key)) throw new UnreadableBody(0, 'is given twice', key.slice(0, 100));
    Object.defineProperty(this.members, key, { value: this.parse(text.slice(valueAt, end)), enumerable: true });
    this.state = 'after_member';
    return end;
  }

  private readRow(text: string, at: number): number {
    const end = endOfValue(text, at);
    if (end < 0) return -1;
    const value = this.parse(text.slice(at, end));
    this.rowCount += 1;
    addObjectRow(this.rows, this.rowCount, value);
    this.state = 'after_row';
    return end;
  }

  private parse(text: string): unknown {
    try {
      return JSON.parse(text);
    } catch {
      throw this.fault(reasonAgainstJson(text));
    }
  }

  private expect(holds: boolean, reason: string): void {
    if (!holds) throw this.fault(reason);
  }

  private fault(reason: string): UnreadableBody {
    return new UnreadableBody(this.line, reason);
  }
}

function missingRows(given: readonly string[]): string {
  const names = given.slice(0, NAMED_MEMBERS).map((name) => name.slice(0, 100));
  return `is required: the body must be ${ENVELOPE}${names.length === 0 ? '' : `, but it has ${names.join(', ')}`}`;
}

function skipBlanks(text: string, at: number): number {
  BLANKS.lastIndex = at;
  BLANKS.exec(text);
  return BLANKS.lastIndex;
}

/** Position after the JSON value that begins at `start`; -1 if its end is not in the text. Does not validate: JSON.parse does. */
function endOfValue(text: string, start: number): number {
  const first = text[start];
  if (first === '"') return endOfString(text, start);
  return first === '{' || first === '[' ? endOfContainer(text, start) : endOfWord(text, start);
}

/** End of a number, true, false or null; at least one character, whatever it is. */
function endOfWord(text: string, start: number): number {
  for (let at = start; at < text.length; at += 1) {
    if (',]} \t\n\r'.includes(text[at]!)) return at === start ? at + 1 : at;
  }
  return -1;
}

/** End of an object or an array: where as many brackets have closed as opened. */
function endOfContainer(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case QUOTE: {
        const end = endOfString(text, at);
        if (end < 0) return -1;
        at = end - 1;
        break;
      }
      case OPENING_BRACE:
      case OPENING_BRACKET:
        depth += 1;
        break;
      case CLOSING_BRACE:
      case CLOSING_BRACKET:
        depth -= 1;
        if (depth === 0) return at + 1;
    }
  }
  return -1;
}

function endOfString(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let backslashes = 0;
    while (text[quote - 1 - backslashes] === '\\') backslashes += 1;
    if (backslashes % 2 === 0) return quote + 1;
  }
  return -1;
}
