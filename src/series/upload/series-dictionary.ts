import { newId } from '../../platform/ids.js';
import { flatCopy } from './formats/flat-text.js';
import {
  type AttributeFault,
  faultOfSurplus,
  MAX_METADATA_VALUE_LENGTH,
  type Metadata,
  MAX_METADATA_COLUMNS,
  type SeriesAttributes,
} from './row-attributes.js';

export interface DictionaryEntry {
  /** Id the series gets if it is new. */
  readonly id: string;
  readonly uniqueId: string;
  readonly attributes: SeriesAttributes;
  /**
   * Line of the row that describes the series or, among demand, of the latest one with additional columns or a successor, for messages; 0
   * if there is none.
   */
  line: number;
  /** Descriptive fields of the series' latest CSV row, as written. */
  fields?: readonly string[];
}

/** Distinct series at which a block is flushed, so that memory does not grow with the number of series. */
export const BLOCK_SERIES = 100_000;
/** Characters of descriptions at which a block is flushed as well. */
const BLOCK_CHARACTERS = 32_000_000;

/** Numbers the series of a block in order of first appearance. */
export class SeriesDictionary {
  private readonly numbers = new Map<string, number>();
  private readonly list: DictionaryEntry[] = [];
  private lastId: string | undefined;
  private lastNumber = -1;
  /** Characters of all attributes. */
  private characters = 0;

  /** Whether the block's limit on series or on the size of their descriptions is reached. */
  get full(): boolean {
    return this.size >= BLOCK_SERIES || this.characters >= BLOCK_CHARACTERS;
  }

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
      this.list.push({ id: newId(), uniqueId: own, attributes: {}, line: 0 });
    }
    this.lastId = uniqueId;
    this.lastNumber = number;
    return number;
  }

  entry(number: number): DictionaryEntry {
    return this.list[number]!;
  }

  /**
   * Stores what a row says about its series; later rows override earlier ones.
   * @returns the fault if the series would exceed the limit on additional columns; nothing of the row is stored then
   */
  describe(number: number, line: number, given: SeriesAttributes): AttributeFault | undefined {
    const entry = this.entry(number);
    const { attributes: known } = entry;
    const { metadata, ...others } = given;
    const added = addedColumns(known.metadata, metadata);
    const surplus = added[MAX_METADATA_COLUMNS - Object.keys(known.metadata ?? {}).length];
    if (surplus !== undefined) return faultOfSurplus(surplus);
    if (added.length > 0 || given.replacedBy !== undefined) entry.line = line;
    const before = charactersOf(known);
    Object.assign(known, others);
    if (metadata !== undefined) known.metadata = { ...known.metadata, ...metadata };
    this.characters += charactersOf(known) - before;
    return undefined;
  }

  clear(): void {
    this.numbers.clear();
    this.list.length = 0;
    this.lastId = undefined;
    this.lastNumber = -1;
    this.characters = 0;
  }
}

const addedColumns = (known: Metadata = {}, given: Metadata = {}): string[] =>
  Object.keys(given).filter((name) => !Object.hasOwn(known, name));

/** Approximate number of characters in the attributes. */
function charactersOf({
  productName = '',
  category = '',
  unit = '',
  replacedBy = '',
  metadata = {},
}: SeriesAttributes): number {
  let characters = productName.length + category.length + unit.length + replacedBy.length;
  for (const name in metadata) characters += name.length + charactersOfValue(metadata[name]);
  return characters;
}

function charactersOfValue(value: unknown): number {
  if (typeof value === 'string') return value.length;
  return typeof value === 'object' ? MAX_METADATA_VALUE_LENGTH : 0;
}
