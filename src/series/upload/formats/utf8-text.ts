import { isAscii, isUtf8 } from 'node:buffer';
import { UnreadableBody } from '../faults.js';
import type { RowsReader } from './rows-reader.js';

/** Bytes decoded at a time, which bounds how long the event loop is blocked and how many rows one step can add. */
const PIECE = 65_536;

const UTF_16 = 'is UTF-16; save the file as UTF-8';

/** Other formats that are often uploaded by mistake, recognized by their first bytes. */
const OTHER_FORMATS: readonly { readonly signature: Buffer; readonly message: string }[] = [
  { signature: Buffer.from([0xff, 0xfe]), message: UTF_16 },
  { signature: Buffer.from([0xfe, 0xff]), message: UTF_16 },
  {
    signature: Buffer.from('PK\x03\x04', 'latin1'),
    message: 'is an Excel workbook or a ZIP archive; save the sheet as CSV',
  },
  { signature: Buffer.from([0xd0, 0xcf, 0x11, 0xe0]), message: 'is an old Excel workbook; save the sheet as CSV' },
  { signature: Buffer.from([0x1f, 0x8b]), message: 'is compressed with gzip; set the header Content-Encoding: gzip' },
];

/** Decodes UTF-8 strictly and passes it on in pieces that never split a character; drops a byte order mark. */
export class Utf8Text {
  private carry: Buffer = Buffer.alloc(0);
  private started = false;

  constructor(private readonly reader: RowsReader) {}

  /** Splits a chunk into pieces to feed one by one. */
  static *pieces(chunk: Buffer): Generator<Buffer> {
    for (let at = 0; at < chunk.length; at += PIECE) yield chunk.subarray(at, at + PIECE);
  }

  /** @throws {UnreadableBody} naming the line that is not UTF-8 or contains a NUL */
  push(piece: Buffer): void {
    const bytes = this.carry.length > 0 ? Buffer.concat([this.carry, piece]) : piece;
    const end = lastBoundary(bytes);
    this.carry = Buffer.from(bytes.subarray(end));
    this.decode(bytes.subarray(0, end));
  }

  end(): void {
    this.decode(this.carry);
    this.reader.end();
  }

  private decode(bytes: Buffer): void {
    if (bytes.length === 0) return;
    const ascii = isAscii(bytes);
    if ((!ascii && !isUtf8(bytes)) || bytes.includes(0)) throw this.fault(bytes);
    let text = ascii ? bytes.toString('latin1') : bytes.toString('utf8');
    if (!this.started && text.startsWith('\ufeff')) text = text.slice(1);
    this.started = true;
    this.reader.push(text);
  }

  private fault(bytes: Buffer): UnreadableBody {
    const known = this.started
      ? undefined
      : OTHER_FORMATS.find(({ signature }) => bytes.subarray(0, signature.length).equals(signature));
    if (known) return new UnreadableBody(this.reader.line, known.message);
    if (!this.started && bytes.subarray(0, 2).includes(0)) return new UnreadableBody(this.reader.line, UTF_16); // without a byte order mark
    let line = this.reader.line;
    for (let start = 0; start < bytes.length; line += 1) {
      const feed = bytes.indexOf(10, start);
      const content = bytes.subarray(start, feed < 0 ? bytes.length : feed);
      if (content.includes(0)) return new UnreadableBody(line, 'contains a NUL character');
      if (!isUtf8(content)) return new UnreadableBody(line, 'is not valid UTF-8; save the file as UTF-8');
      start += content.length + 1;
    }
    return new UnreadableBody(line, 'is not valid UTF-8; save the file as UTF-8');
  }
}

/** End of the last whole character: at most three bytes of a character are left for the next piece. */
function lastBoundary(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(4, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back]!;
    if (byte < 0x80) return bytes.length - back + 1;
    if (byte >= 0xc0) {
      const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      return needed <= back ? bytes.length - back + needed : bytes.length - back;
    }
  }
  return bytes.length; // no character is that long: the decoder will reject it
}
