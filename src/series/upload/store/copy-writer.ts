import { once } from 'node:events';
import type { PoolClient } from 'pg';
import { from as copyFrom, type CopyStreamQuery } from 'pg-copy-streams';

const BUFFER = 262_144;
/** Signature, flags and header extension of PostgreSQL's binary COPY format. */
const HEADER = Buffer.concat([Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1'), Buffer.alloc(8)]);
const TRAILER = Buffer.from([0xff, 0xff]);

/** Element types of arrays, by their object ids in pg_type. */
const ELEMENT = { date: 1082, float8: 701, int4: 23 } as const;

/**
 * Rows for `COPY … FROM STDIN (FORMAT binary)`, built in one reused buffer:
 * https://www.postgresql.org/docs/current/sql-copy.html#SQL-COPY-FILE-FORMATS. Call `row`, then one write per column.
 */
export class CopyWriter {
  private buffer = Buffer.allocUnsafe(BUFFER);
  private at = HEADER.copy(this.buffer);
  private readonly stream: CopyStreamQuery;
  private fault: Error | undefined;

  constructor(client: PoolClient, table: string) {
    this.stream = client.query(copyFrom(`COPY ${table} FROM STDIN (FORMAT binary)`));
    this.stream.on('error', (error) => (this.fault = error));
  }

  /** Begins a row; returns a promise only if the server has to catch up. `bytes` is an upper bound for the row. */
  row(columns: number, bytes: number): Promise<void> | undefined {
    const room = this.at + bytes + 2 <= this.buffer.length;
    const caughtUp = room ? undefined : this.flush(Math.max(BUFFER, bytes + 2));
    this.at = this.buffer.writeInt16BE(columns, this.at);
    return caughtUp;
  }

  int4(value: number): void {
    this.at = this.buffer.writeInt32BE(4, this.at);
    this.at = this.buffer.writeInt32BE(value, this.at);
  }

  int2(value: number): void {
    this.at = this.buffer.writeInt32BE(2, this.at);
    this.at = this.buffer.writeInt16BE(value, this.at);
  }

  /** Writes null if undefined. */
  float8(value: number | undefined): void {
    if (value === undefined) return this.missing();
    this.at = this.buffer.writeInt32BE(8, this.at);
    this.at = this.buffer.writeDoubleBE(value, this.at);
  }

  /** Writes null if undefined. */
  text(value: string | undefined): void {
    if (value === undefined) this.missing();
    else this.bytes(Buffer.from(value, 'utf8'));
  }

  missing(): void {
    this.at = this.buffer.writeInt32BE(-1, this.at);
  }

  uuid(value: string): void {
    this.bytes(Buffer.from(value.replaceAll('-', ''), 'hex'));
  }

  /** The binary form of jsonb is its text after a version number. */
  jsonb(json: string): void {
    this.bytes(Buffer.from(`\u0001${json}`, 'utf8'));
  }

  /** A one-dimensional array of `count` elements of four or eight bytes. */
  array(element: 'date' | 'int4' | 'float8', count: number, valueOf: (index: number) => number): void {
    const size = element === 'float8' ? 8 : 4;
    const { buffer } = this;
    let at = buffer.writeInt32BE(20 + count * (4 + size), this.at);
    for (const part of [1, 0, ELEMENT[element], count, 1]) at = buffer.writeInt32BE(part, at);
    for (let index = 0; index < count; index++) {
      at = buffer.writeInt32BE(size, at);
      at = size === 8 ? buffer.writeDoubleBE(valueOf(index), at) : buffer.writeInt32BE(valueOf(index), at);
    }
    this.at = at;
  }

  /** Size on the wire of an array of `count` elements, in bytes. */
  static arrayBytes(element: 'date' | 'int4' | 'float8', count: number): number {
    return 24 + count * (element === 'float8' ? 12 : 8);
  }

  /** Sends what is left; resolves once the server has received all rows. */
  async end(): Promise<void> {
    await this.flush(BUFFER);
    if (this.fault) throw this.fault;
    this.stream.end(TRAILER);
    await once(this.stream, 'finish');
  }

  /** Aborts the COPY, so that the connection can roll back. */
  abort(): void {
    this.stream.destroy();
  }

  private bytes(value: Buffer): void {
    this.at = this.buffer.writeInt32BE(value.length, this.at);
    this.at += value.copy(this.buffer, this.at);
  }

  private async flush(next: number): Promise<void> {
    const full = this.buffer.subarray(0, this.at);
    this.buffer = Buffer.allocUnsafe(next);
    this.at = 0;
    if (this.fault) throw this.fault;
    if (!this.stream.write(full)) await once(this.stream, 'drain');
  }
}
