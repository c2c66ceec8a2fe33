import { UnreadableBody } from '../faults.js';
import type { RowCollector } from '../row-collector.js';
import { flatCopy } from './flat-text.js';
import { addObjectRow, reasonAgainstJson } from './object-rows.js';
import { MAX_RECORD_LENGTH, type RowsReader } from './rows-reader.js';

/** Rows as one JSON object per line; blank lines are skipped. */
export class NdjsonRows implements RowsReader {
  private rest = '';
  private nextLine = 1;

  constructor(private readonly rows: RowCollector) {}

  get line(): number {
    return this.nextLine;
  }

  push(piece: string): void {
    const text = this.rest === '' ? piece : flatCopy(this.rest + piece);
    let at = 0;
    for (let feed = text.indexOf('\n'); feed >= 0; feed = text.indexOf('\n', at)) {
      this.read(text.slice(at, feed));
      at = feed + 1;
    }
    this.rest = text.slice(at);
    if (this.rest.length > MAX_RECORD_LENGTH)
      throw new UnreadableBody(this.nextLine, `is longer than ${MAX_RECORD_LENGTH} characters`);
  }

  end(): void {
    this.read(this.rest);
    this.rest = '';
  }

  private read(line: string): void {
    const number = this.nextLine;
    this.nextLine += 1;
    if (line.trim() === '') return;
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      // only this line is bad: those after it are still readable
      this.rows.refuseRow(number, 'body', reasonAgainstJson(line, '; every line must be one whole object'));
      return;
    }
    addObjectRow(this.rows, number, value);
  }
}
