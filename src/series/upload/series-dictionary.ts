import { newId } from '../../platform/ids.js';
import { flatCopy } from './flat-text.js';

/** Further columns of a row: what describes the series, by name. */
export type Metadata = Record<string, unknown>;

/** What rows say about their series besides demand; undefined where they say nothing. */
export interface SeriesAttributes {
  productName?: string;
  category?: string;
  unit?: string;
  metadata?: Metadata;
}

export interface DictionaryEntry {
  /** Id the series gets if it is new. */
  readonly id: string;
  readonly uniqueId: string;
  readonly attributes: SeriesAttributes;
  /** Descriptive fields of the series' latest CSV row, as written. */
  fields?: readonly string[];
}

/** Distinct series at which a block is written out, so that memory does not grow with the number of series. */
export const BLOCK_SERIES = 100_000;

/** Numbers the series of a block in the order of their first row. */
export class SeriesDictionary {
  private readonly numbers = new Map<string, number>();
  private readonly list: DictionaryEntry[] = [];
  private lastId: string | undefined;
  private lastNumber = -1;

  get size(): number {
    return this.list.length;
  }

  get entries(): readonly DictionaryEntry[] {
    return this.list;
  }

  numberOf(uniqueId: string): number {
    if (uniqueId === this.lastId) return this.lastNumber; // files are mostly grouped by series
    let number = this.numbers.get(uniqueId);
    if (number === undefined) {
      const own = flatCopy(uniqueId);
      number = this.list.length;
      this.numbers.set(own, number);
      this.list.push({ id: newId(), uniqueId: own, attributes: {} });
    }
    this.lastId = uniqueId;
    this.lastNumber = number;
    return number;
  }

  entry(number: number): DictionaryEntry {
    return this.list[number]!;
  }

  /** Takes what a row says about its series; a later row's value wins. */
  describe(number: number, given: SeriesAttributes): void {
    const known = this.entry(number).attributes;
    if (given.productName !== undefined) known.productName = given.productName;
    if (given.category !== undefined) known.category = given.category;
    if (given.unit !== undefined) known.unit = given.unit;
    if (given.metadata !== undefined) known.metadata = { ...known.metadata, ...given.metadata };
  }

  clear(): void {
    this.numbers.clear();
    this.list.length = 0;
    this.lastId = undefined;
    this.lastNumber = -1;
  }
}
