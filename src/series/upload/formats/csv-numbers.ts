import type { DecimalMark, Mark } from '../decimal-mark.js';
import { excerpt } from '../row-collector.js';
import type { Delimiter } from './csv-header.js';

/** A value such as `1.234`, which is a thousand times as large if its mark separates thousands. */
export interface Doubt {
  readonly mark: Mark;
  readonly text: string;
  readonly line: number;
}

// a single parse for digits without a mark: `\d+\.?\d*` would backtrack over every position in a text that does not match
const POINT_NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;
/** Digits with at most one mark. */
const PLAIN = /^[+-]?(?:\d+(?:[.,]\d*)?|[.,]\d+)(?:e[+-]?\d+)?$/i;
/** Digits in groups of three with one separator throughout (mark, blank or apostrophe), optionally with decimals after another mark. */
const GROUPED =
  /^[+-]?[1-9]\d{0,2}(?<separator>[.,'’ \u00a0\u2009\u202f])\d{3}(?:\k<separator>\d{3})*(?:(?!\k<separator>)(?<decimal>[.,])\d*)?$/;

const WORDS: Readonly<Record<Mark, DecimalMark>> = { '.': 'point', ',': 'comma' };

/**
 * Parses the numbers of one CSV file. A file has one decimal mark: the one its sender specifies, a point if commas separate the columns,
 * otherwise that of the first unambiguous value. Thousands may be separated by blanks, apostrophes or the other mark. `1.234` is ambiguous,
 * since spreadsheets in much of the world save 1234 this way: it is read as decimals and remains in doubt until another value decides.
 * Values such as 1500 or 1 234 do not decide: sheets typed by hand mix them with 1.234 for 1234.
 */
export class CsvNumbers {
  /** The decimal mark: known or, if commas separate the columns, assumed. */
  private decimal: { readonly mark: Mark; readonly because: string } | undefined;
  /** The mark that can only separate thousands, once the sender or a value has decided the decimal mark. */
  private separator: Mark | undefined;
  /** The doubt about the number read last, if any. */
  inDoubt: Doubt | undefined;

  /** @param given as specified by the sender of the file */
  constructor(delimiter: Delimiter, given?: DecimalMark) {
    if (given !== undefined) {
      const mark = given === 'comma' ? ',' : '.';
      this.decimal = { mark, because: `which decimal=${given} sets; correct the value or the parameter` };
      this.separator = otherThan(mark);
    } else if (delimiter === ',') {
      this.decimal = {
        mark: '.',
        because: 'the default if commas separate the columns; correct the value, or send decimal=comma',
      };
    }
  }

  /** The number, or what is wrong with the text. */
  read(text: string, line: number): number | string {
    this.inDoubt = undefined;
    const nothingToLearn = this.separator !== undefined || !text.includes('.');
    if (nothingToLearn && this.decimal?.mark === '.' && POINT_NUMBER.test(text)) return Number(text); // the vast majority of values
    const grouped = GROUPED.exec(text)?.groups;
    const plain = PLAIN.test(text);
    if (!grouped && !plain) return reasonAgainst(text);
    const mark = plain ? markIn(text) : undefined;
    if (grouped && mark !== undefined) return this.readDoubtful({ mark, text, line });

    const separator = grouped?.['separator'] ?? '';
    const decimal = mark ?? asMark(grouped?.['decimal']) ?? otherThan(asMark(separator));
    if (decimal !== undefined) {
      this.decimal ??= {
        mark: decimal,
        because: `which "${excerpt(text)}" on line ${line} uses; use one decimal mark in the whole file`,
      };
      if (this.decimal.mark !== decimal) {
        return `"${excerpt(text)}" is not a number with a decimal ${WORDS[this.decimal.mark]}, ${this.decimal.because}`;
      }
      this.separator = otherThan(decimal);
    }
    return toNumber(text, separator);
  }

  /**
   * After the last value: what the mark in doubt means, or the reason to reject its value.
   * @param held whether the value is still in memory, so that it can be corrected
   */
  resolve({ mark, text }: Doubt, held: boolean): 'decimals' | 'thousands' | { readonly reason: string } {
    if (mark === this.decimal?.mark) return 'decimals';
    if (mark === this.separator && held) return 'thousands';
    const predicate =
      mark === this.separator
        ? 'within a million rows shows which'
        : 'in the file shows which (digits alone, such as 1500, do not)';
    const [thousands, decimals] = [text.replace(mark, ''), text.replace(',', '.')];
    const [asThousands, asDecimals] = [WORDS[otherThan(mark)], WORDS[mark]];
    return {
      reason:
        `"${text}" can be ${thousands} or ${decimals}, and no value ${predicate}: ` +
        `send decimal=${asThousands} for ${thousands}, decimal=${asDecimals} for ${decimals}`,
    };
  }

  private readDoubtful(doubt: Doubt): number {
    if (doubt.mark === this.separator) return toNumber(doubt.text, doubt.mark);
    if (doubt.mark !== this.decimal?.mark) this.inDoubt = doubt;
    return toNumber(doubt.text, '');
  }
}

function toNumber(text: string, separator: string): number {
  return Number((separator === '' ? text : text.replaceAll(separator, '')).replace(',', '.'));
}

function reasonAgainst(text: string): string {
  if (text === '') return 'is empty; omit the row if demand is missing';
  return /\d/.test(text)
    ? `"${excerpt(text)}" is not a finite number; use digits only, without units or symbols except a leading minus sign`
    : `"${excerpt(text)}" is not a finite number; use 0 if there was no demand, and omit the row if demand is missing`;
}

function markIn(text: string): Mark | undefined {
  if (text.includes(',')) return ',';
  return text.includes('.') ? '.' : undefined;
}

function asMark(text: string | undefined): Mark | undefined {
  return text === '.' || text === ',' ? text : undefined;
}

function otherThan(mark: Mark): Mark;
function otherThan(mark: Mark | undefined): Mark | undefined;
function otherThan(mark: Mark | undefined): Mark | undefined {
  return mark && (mark === ',' ? '.' : ',');
}
