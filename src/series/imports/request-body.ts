import { createHash } from 'node:crypto';
import { finished, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { FastifyRequest } from 'fastify';
import { MINUTE_MS } from '../../platform/durations.js';
import { codeOf } from '../../platform/faults.js';
import { brokenOff } from '../../platform/http/broken-off.js';
import { cutOff } from '../../platform/http/client-error.js';
import { Problem } from '../../platform/http/problem.js';
import { unsupportedType } from '../../platform/http/unsupported-type.js';
import type { UploadFormat } from '../upload/read-upload.js';

const FORMATS: Readonly<Record<string, UploadFormat>> = {
  'text/csv': 'csv',
  'application/json': 'json',
  'application/x-ndjson': 'ndjson',
  'application/ndjson': 'ndjson',
};

/** Format of the request's body, from its Content-Type. @throws {Problem} 415 */
export function uploadFormat(request: FastifyRequest): UploadFormat {
  const sent = request.headers['content-type'];
  const [type = '', ...parameters] = (sent ?? '').split(';').map((part) => part.trim());
  const format = FORMATS[type.toLowerCase()];
  if (!format) throw unsupportedType('text/csv, application/json or application/x-ndjson', sent);
  const charset = parameters.find((parameter) => /^charset=/i.test(parameter))?.slice('charset='.length);
  if (charset !== undefined && !/^"?(utf-?8|us-ascii)"?$/i.test(charset)) throw unsupported('Send the body in UTF-8.');
  return format;
}

/** Milliseconds within which the next piece of a body must arrive. */
const STALLED_MS = MINUTE_MS;
/** Bytes of which not more than some 10 MB of memory are made. */
const SMALL_BYTES = 4_194_304;
/** Bytes that {@link UploadBody.peek} shows. */
const HEAD_BYTES = 16_384;

/** The decompressed body of an upload, counted and hashed as it is read. */
export class UploadBody implements AsyncIterable<Buffer> {
  private readonly hash = createHash('sha256');
  private readonly source: Readable;
  private readonly stream: Readable;
  private readonly pieces = this.read();
  private head: Buffer | undefined;
  private bytes = 0;

  /** @throws {Problem} 413 where the announced length is above the limit, 415 for an unknown Content-Encoding */
  constructor(
    private readonly request: FastifyRequest,
    private readonly limit: number,
    private readonly stalledMs = STALLED_MS,
  ) {
    const source = request.body as Readable | undefined;
    if (source === undefined) throw Problem.invalid([{ param: 'body', message: 'is required' }]);
    if (this.announced > limit) throw this.tooLarge();
    this.source = source;
    this.stream = decoded(request, source);
    // an error after reading has stopped concerns nobody, but without a listener it would end the process
    this.stream.on('error', () => undefined);
  }

  /** Content-Length; 0 where there is none. */
  get announced(): number {
    return Number(this.request.headers['content-length'] ?? 0);
  }

  /** Whether it surely takes little memory to read: what is compressed, or has no length, may become large. */
  get isSmall(): boolean {
    return this.stream === this.source && this.announced > 0 && this.announced <= SMALL_BYTES;
  }

  get byteCount(): number {
    return this.bytes;
  }

  /** SHA-256 of the bytes read and of the other inputs that decide the effect; call it once, at the end. */
  digest(...inputs: readonly unknown[]): Buffer {
    return this.hash.update(JSON.stringify(inputs)).digest();
  }

  /** The first 16 KiB, or the whole body where it is shorter. Call it once, before reading; reading still starts at the first byte. */
  async peek(): Promise<Buffer> {
    const pieces: Buffer[] = [];
    while (this.bytes < HEAD_BYTES) {
      const piece = await this.pieces.next();
      if (piece.done === true) break;
      pieces.push(piece.value);
    }
    this.head = Buffer.concat(pieces);
    return this.head.subarray(0, HEAD_BYTES); // cut, so that the result does not depend on how the pieces arrived
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer> {
    if (this.head) yield this.head;
    yield* this.pieces;
  }

  private async *read(): AsyncGenerator<Buffer, undefined> {
    const awaitMore = (): NodeJS.Timeout => setTimeout(() => cutOff(this.request.raw.socket), this.stalledMs);
    let stalled = awaitMore();
    try {
      for await (const chunk of this.stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
        clearTimeout(stalled); // the time we take to process a piece does not count
        this.bytes += chunk.length;
        if (this.bytes > this.limit) throw this.tooLarge();
        this.hash.update(chunk);
        yield chunk;
        stalled = awaitMore();
      }
    } catch (error) {
      throw error instanceof Problem ? error : incomplete(error);
    } finally {
      clearTimeout(stalled);
    }
  }

  /**
   * Reads and drops the rest without decompressing it. While a request is half read, its sender may not see the reply, and the open
   * connection delays the stop of the service. A sender of more than an upload may hold is cut off.
   */
  discard(): void {
    let passed = 0;
    this.source.unpipe();
    this.source.on('data', (chunk: Buffer) => {
      passed += chunk.length;
      if (passed > this.limit) this.source.destroy();
    });
    this.source.resume();
  }

  private tooLarge(): Problem {
    const megabytes = Math.floor(this.limit / 1_048_576);
    return new Problem(413, 'body_too_large', `An upload may have ${megabytes} MB; send it in parts.`);
  }
}

function decoded(request: FastifyRequest, source: Readable): Readable {
  const encoding = request.headers['content-encoding']?.toLowerCase() ?? 'identity';
  if (encoding === 'identity') return source;
  if (encoding !== 'gzip') throw unsupported('Content-Encoding may be gzip or absent.');
  // not pipeline(): on invalid gzip it would close the connection before the sender has the reply
  const gunzip = createGunzip();
  finished(source, (error) => error && gunzip.destroy(error));
  return source.pipe(gunzip);
}

function incomplete(error: unknown): unknown {
  if (codeOf(error).startsWith('Z_')) return Problem.invalid([{ param: 'body', message: 'is not valid gzip' }]);
  return brokenOff(error) ?? error;
}

function unsupported(detail: string): Problem {
  return new Problem(415, 'unsupported_media_type', detail);
}
