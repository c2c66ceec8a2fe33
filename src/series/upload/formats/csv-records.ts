import { UnreadableBody } from '../faults.js';
import { flatCopy } from './flat-text.js';
import { countLines, MAX_RECORD_LENGTH } from './rows-reader.js';

const QUOTE = 34;
const CARRIAGE_RETURN = 13;
const LINE_FEED = 10;

/**
 * Receives one record: the first `count` entries of `fields`, an array reused for the next record.
 * @param line physical line on which the record begins
 */
export type OnRecord = (fields: readonly string[], count: number, line: number) => void;

/**
 * RFC 4180 records from text that arrives in pieces: a delimiter, quoted fields containing delimiters, doubled quotes and line breaks, LF
 * or CRLF, blank lines skipped. Optimized for plain lines: a tenth of the time of a general parser (docs/decisions/0003-demand-storage.md).
 */
export class CsvRecords {
  private rest = '';
  private nextLine = 1;
  private readonly fields: string[] = [];

  private readonly delimiterCode: number;

  /** Position of the next delimiter in the current text, as far as it has been searched for. */
  private delimiterAt = -1;

  /** @param delimiter one character */
  constructor(
    private readonly onRecord: OnRecord,
    private readonly delimiter = ',',
  ) {
    this.delimiterCode = delimiter.charCodeAt(0);
  }

  /** Line on which the next pushed text begins. */
  get line(): number {
    return this.nextLine + countLines(this.rest);
  }

  push(piece: string): void {
    const text = this.rest === '' ? piece : flatCopy(this.rest + piece);
    const consumed = this.read(text, false);
    this.rest = text.slice(consumed);
    if (this.rest.length > MAX_RECORD_LENGTH) {
      throw new UnreadableBody(
        this.nextLine,
        `is longer than ${MAX_RECORD_LENGTH} characters; check for an unclosed quote or lost line breaks (curl: --data-binary, not -d)`,
      );
    }
  }

  end(): void {
    if (this.rest === '') return;
    const text = this.rest;
    this.rest = '';
    this.read(text, true);
  }

  /**
   * Reads whole records; returns the position it reached. Unquoted text has a loop of its own, since in a shared loop the optimizing
   * compiler repeated the search for the next quote on every line.
   */
  private read(text: string, last: boolean): number {
    this.delimiterAt = -1;
    return text.includes('"') ? this.readMixed(text, last) : this.readUnquoted(text, 0, last);
  }

  private readUnquoted(text: string, start: number, last: boolean): number {
    let at = start;
    for (let feed = text.indexOf('\n', at); feed >= 0; feed = text.indexOf('\n', at)) {
      this.readPlain(text, at, feed);
      this.nextLine += 1;
      at = feed + 1;
    }
    if (!last) return at;
    if (at < text.length) this.readPlain(text, at, text.length);
    return text.length;
  }

  private readMixed(text: string, last: boolean): number {
    let at = 0;
    let quote = -1;
    while (at < text.length) {
      if (quote < at) quote = text.indexOf('"', at); // once for all lines before it
      if (quote < 0) return this.readUnquoted(text, at, last);
      const feed = text.indexOf('\n', at);
      if (feed >= 0 && feed < quote) {
        this.readPlain(text, at, feed);
        this.nextLine += 1;
        at = feed + 1;
      } else {
        const end = this.readQuoted(text, at, last);
        if (end < 0) return at;
        this.nextLine += countLines(text, at, end);
        at = end;
      }
    }
    return at;
  }

  private readPlain(text: string, start: number, feed: number): void {
    const end = feed > start && text.charCodeAt(feed - 1) === CARRIAGE_RETURN ? feed - 1 : feed;
    if (end === start) return;
    let count = 0;
    let from = start;
    for (let at = this.nextDelimiter(text, from); at < end; at = this.nextDelimiter(text, from)) {
      this.fields[count++] = text.slice(from, at);
      from = at + 1;
    }
    this.fields[count++] = text.slice(from, end);
    this.onRecord(this.fields, count, this.nextLine);
  }

  /** Caches the result for lines without a delimiter: each would search the rest of the text. */
  private nextDelimiter(text: string, from: number): number {
    if (this.delimiterAt < from) {
      const found = text.indexOf(this.delimiter, from);
      this.delimiterAt = found < 0 ? text.length : found;
    }
    return this.delimiterAt;
  }

  /** Reads a record with quotes; returns the position after it, or -1 if its end has not arrived. */
  private readQuoted(text: string, start: number, last: boolean): number {
    for (let count = 0, at = start; ; count += 1) {
      const end =
        text.charCodeAt(at) === QUOTE
          ? this.quotedField(text, start, at, count, last)
          : this.bareField(text, at, count, last);
      if (end < 0) return -1;
      if (text.charCodeAt(end) !== this.delimiterCode) return this.endRecord(text, end, count + 1, last);
      at = end + 1;
    }
  }

  /** Stores the field whose quote opens at `at`; returns the position after its closing quote, or -1. */
  private quotedField(text: string, start: number, at: number, index: number, last: boolean): number {
    const close = closingQuote(text, at + 1);
    if (!last && (close < 0 || close === text.length - 1)) return -1; // the next piece may double the quote
    if (close < 0) {
      const line = this.nextLine + countLines(text, start, at);
      throw new UnreadableBody(line, 'a quoted field starts here and is never closed');
    }
    this.fields[index] = text.slice(at + 1, close).replaceAll('""', '"');
    return close + 1;
  }

  /** Stores the field without quotes that begins at `at`; returns the position after it, or -1. */
  private bareField(text: string, at: number, index: number, last: boolean): number {
    const end = fieldEnd(text, at, this.delimiterCode);
    if (end === text.length && !last) return -1;
    const value = text.slice(at, end);
    if (value.includes('"')) {
      const reason = 'an unquoted field contains a quote; quote the field and double the quote inside it';
      throw new UnreadableBody(this.nextLine, reason);
    }
    this.fields[index] = value;
    return end;
  }

  /** Emits the record of `count` fields that ends at `at`; returns the position after its line break, or -1. */
  private endRecord(text: string, at: number, count: number, last: boolean): number {
    let end = at;
    if (text.charCodeAt(end) === CARRIAGE_RETURN) {
      const isLast = end + 1 === text.length;
      if (isLast && !last) return -1;
      if (isLast || text.charCodeAt(end + 1) === LINE_FEED) end += 1;
    }
    if (end < text.length && text.charCodeAt(end) !== LINE_FEED) {
      throw new UnreadableBody(
        this.nextLine,
        'text follows a closing quote; double quotes that are part of a quoted field',
      );
    }
    this.onRecord(this.fields, count, this.nextLine);
    return Math.min(end + 1, text.length);
  }
}

/** Position of the quote that closes a field, skipping doubled quotes; -1 if there is none. */
function closingQuote(text: string, from: number): number {
  let at = text.indexOf('"', from);
  while (at >= 0 && text.charCodeAt(at + 1) === QUOTE) at = text.indexOf('"', at + 2);
  return at;
}

/** End of an unquoted field: the next delimiter or line break (a carriage return at the end of the line is not part of it). */
function fieldEnd(text: string, from: number, delimiterCode: number): number {
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === delimiterCode || code === LINE_FEED) return at;
    if (code === CARRIAGE_RETURN && (at + 1 === text.length || text.charCodeAt(at + 1) === LINE_FEED)) return at;
  }
  return text.length;
}
