import type { Delimiter } from './csv-header.js';
import { excerpt } from './row-collector.js';

const POINT_NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;
const COMMA_NUMBER = /^[+-]?(?:\d+,\d*|,\d+)(?:e[+-]?\d+)?$/i;
/** Thousands with a point between their groups, or three decimals. */
const GROUPED = /^[+-]?[1-9]\d{0,2}\.\d{3}$/;
const HAS_COMMA = /^[+-]?[\d.]*,[\d.,]+$/;

/**
 * Numbers of one CSV file. With fields parted by semicolons or tabs decimals may have a comma, as spreadsheets of much of the
 * world write them; one file then has one decimal mark, so that 1.234 beside 1,5 is not taken for one and a bit. In such
 * files the comma often is that mark, and spreadsheets save 1234 as 1.234 where it is shown so.
 */
export class CsvNumbers {
  /** First value of the file with a decimal mark, which decides for all of it. */
  private first: { readonly mark: '.' | ','; readonly line: number } | undefined;
  private readonly commaAllowed: boolean;
  /** First value that may have a thousands separator, while no other has told that the file has none. */
  private grouped: { readonly text: string; readonly line: number } | undefined;
  private hasNoGroups: boolean;

  constructor(delimiter: Delimiter) {
    this.commaAllowed = delimiter !== ',';
    this.hasNoGroups = !this.commaAllowed;
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
    if (!this.hasNoGroups) this.lookForGroups(text, line);
    return Number(comma ? text.replace(',', '.') : text);
  }

  /** After the last value: what speaks against the file where nothing in it tells decimals from thousands. */
  doubt(): { readonly line: number; readonly reason: string } | undefined {
    if (this.hasNoGroups || !this.grouped) return undefined;
    const { text, line } = this.grouped;
    const reason = `"${text}" may be ${text.replace('.', '')} or ${text}, no value of the file tells which; write no thousands separators, and decimals with a comma`;
    return { line, reason };
  }

  /** Another number of decimals, or four digits in a row, are not found beside thousands separators. */
  private lookForGroups(text: string, line: number): void {
    if (GROUPED.test(text)) this.grouped ??= { text, line };
    else if (/[.,]|\d{4}/.test(text)) this.hasNoGroups = true;
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
