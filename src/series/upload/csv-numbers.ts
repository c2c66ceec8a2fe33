import type { Delimiter } from './csv-header.js';
import { excerpt } from './row-collector.js';

const POINT_NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;
const COMMA_NUMBER = /^[+-]?(?:\d+,\d*|,\d+)(?:e[+-]?\d+)?$/i;
const HAS_COMMA = /^[+-]?[\d.]*,[\d.,]+$/;

/**
 * Numbers of one CSV file. With fields parted by semicolons or tabs decimals may have a comma, as spreadsheets of much of the
 * world write them; one file then has one decimal mark, so that 1.234 beside 1,5 is not taken for one and a bit.
 */
export class CsvNumbers {
  /** First value of the file with a decimal mark, which decides for all of it. */
  private first: { readonly mark: '.' | ','; readonly line: number } | undefined;
  private readonly commaAllowed: boolean;

  constructor(delimiter: Delimiter) {
    this.commaAllowed = delimiter !== ',';
  }

  /** The number, or what is wrong with the text. */
  read(text: string, line: number): number | string {
    if (!this.commaAllowed) return POINT_NUMBER.test(text) ? Number(text) : this.reasonAgainst(text);
    const comma = COMMA_NUMBER.test(text);
    if (!comma && !POINT_NUMBER.test(text)) return this.reasonAgainst(text);
    if (comma || text.includes('.')) {
      const mark = comma ? ',' : '.';
      this.first ??= { mark, line };
      if (this.first.mark !== mark) {
        return `"${excerpt(text)}" has a decimal ${nameOf(mark)} where line ${this.first.line} has a ${nameOf(this.first.mark)}; use one of them`;
      }
    }
    return Number(comma ? text.replace(',', '.') : text);
  }

  private reasonAgainst(text: string): string {
    if (text === '') return 'is empty; leave the row out where demand is missing';
    if (!HAS_COMMA.test(text)) return `"${excerpt(text)}" is not a finite number`;
    return this.commaAllowed
      ? `"${excerpt(text)}" can be read in two ways; write numbers without thousands separators`
      : `"${excerpt(text)}" has a comma; write decimals with a point and no thousands separators`;
  }
}

function nameOf(mark: '.' | ','): string {
  return mark === ',' ? 'comma' : 'point';
}
