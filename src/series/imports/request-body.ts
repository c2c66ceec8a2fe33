import { createHash } from 'node:crypto';
import { finished, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { FastifyRequest } from 'fastify';
import { HOUR_MS, MINUTE_MS } from '../../platform/durations.js';
import { codeOf } from '../../platform/faults.js';
import { abortedBody } from '../../platform/http/bodies/aborted-body.js';
import { cutOff } from '../../platform/http/server/client-error.js';
import { Problem } from '../../platform/http/problem.js';
import { unsupportedType } from '../../platform/http/bodies/unsupported-type.js';
import type { UploadFormat } from '../upload/read-upload.js';

const FORMATS: Readonly<Record<string, UploadFormat>> = {
  'text/csv': 'csv',
  'application/json': 'json',
  'application/x-ndjson': 'ndjson',
  'application/ndjson': 'ndjson',
};

/** Format of the request body, by its Content-Type. @throws {Problem} 415 */
export function uploadFormat(request: FastifyRequest): UploadFormat {
  const sent = request.headers['content-type'];
  const [type = '', ...parameters] = (sent ?? '').split(';').map((part) => part.trim());
  const format = FORMATS[type.toLowerCase()];
  if (!format)
    throw unsupportedType('text/csv, application/json or application/x-ndjson, with the file itself as the body', sent);
  const charset = parameters.find((parameter) => /^charset=/i.test(parameter))?.slice('charset='.length);
  if (charset !== undefined && !/^"?(utf-?8|us-ascii)"?$/i.test(charset)) throw unsupported('Send the body in UTF-8.');
  return format;
}

/** How fast the body of an upload must arrive, so that no client occupies a slot for large uploads for long. */
export interface UploadPace {
  /** Milliseconds within which the next piece must arrive. */
  readonly stalledMs: number;
  /** Minimum average rate, in decompressed bytes per second, once the body has been waited for as long as `graceMs`. */
  readonly bytesPerSecond: number;
  readonly graceMs: number;
  /** Milliseconds within which the whole body must have arrived. */
  readonly longestMs: number;
}

export const UPLOAD_PACE: UploadPace = {
  stalledMs: MINUTE_MS,
  bytesPerSecond: 16_000,
  graceMs: MINUTE_MS,
  longestMs: HOUR_MS,
};

/** Bodies up to this many bytes take about 10 MB of memory at most. */
const SMALL_BYTES = 4_194_304;
/** Size of what {@link UploadBody.peek} returns, in bytes. */
const HEAD_BYTES = 16_384;

/** The decompressed body of an upload, counted and hashed as it is read. */
export class UploadBody implements AsyncIterable<Buffer> {
  private readonly hash = createHash('sha256');
  private readonly source: Readable;
  private readonly stream: Readable;
  private readonly pieces = this.read();
  private head: Buffer | undefined;
  private bytes = 0;

  /** @throws {Problem} 413 if Content-Length is above the limit, 415 for an unknown Content-Encoding */
  constructor(
    private readonly request: FastifyRequest,
    private readonly limit: number,
    private readonly pace: UploadPace,
  ) {
    const source = request.body as Readable | undefined;
    if (source === undefined) throw Problem.invalid([{ param: 'body', message: 'is required' }]);
    if (this.announced > limit) throw this.tooLarge();
    this.source = source;
    this.stream = decoded(request, source);
    // an error after reading has stopped is irrelevant, but without a listener it would crash the process
    this.stream.on('error', () => undefined);
  }

  /** Content-Length; 0 if absent. */
  get announced(): number {
    return Number(this.request.headers['content-length'] ?? 0);
  }

  /** Whether reading it certainly takes little memory: a body that is compressed, or has no length, may become large. */
  get isSmall(): boolean {
    return this.stream === this.source && this.announced > 0 && this.announced <= SMALL_BYTES;
  }

  get byteCount(): number {
    return this.bytes;
  }

  /** SHA-256 of the bytes read and of the other inputs that determine the effect; call it once, at the end. */
  digest(...inputs: readonly unknown[]): Buffer {
    return this.hash.update(JSON.stringify(inputs)).digest();
  }

  /** The first 16 KiB, or the whole body if it is shorter. Call it once, before reading; reading still starts at the first byte. */
  async peek(): Promise<Buffer> {
    const pieces: Buffer[] = [];
    while (this.bytes < HEAD_BYTES) {
      const piece = await this.pieces.next();
      if (piece.done === true) break;
      pieces.push(piece.value);
    }
    this.head = Buffer.concat(pieces);
    return this.head.subarray(0, HEAD_BYTES); // truncated, so that the result does not depend on how the pieces arrived
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer> {
    if (this.head) yield this.head;
    yield* this.pieces;
  }

  private async *read(): AsyncGenerator<Buffer, undefined> {
    const begun = performance.now();
    let waitedMs = 0; // for the client: time spent processing a piece does not count
    let since = begun;
    let refusal: Problem | undefined;
    const awaitMore = (): NodeJS.Timeout => {
      since = performance.now();
      const { afterMs, late } = this.patience(waitedMs, since - begun);
      return setTimeout(() => cutOff(this.request.raw.socket, (refusal = late())), afterMs);
    };
    let timer = awaitMore();
    try {
      for await (const chunk of this.stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
        clearTimeout(timer);
        waitedMs += performance.now() - since;
        this.bytes += chunk.length;
        if (this.bytes > this.limit) throw this.tooLarge();
        this.hash.update(chunk);
        yield chunk;
        timer = awaitMore();
      }
    } catch (error) {
      throw error instanceof Problem ? error : (refusal ?? incomplete(error));
    } finally {
      clearTimeout(timer);
    }
  }

  /** How long to wait for the next piece, and the problem if it has not arrived by then. */
  private patience(waitedMs: number, elapsedMs: number): { afterMs: number; late: () => Problem } {
    const { stalledMs, bytesPerSecond, graceMs, longestMs } = this.pace;
    const enoughForMs = Math.max(graceMs, (this.bytes / bytesPerSecond) * 1_000);
    return [
      { afterMs: stalledMs, late: stalledUpload },
      { afterMs: enoughForMs - waitedMs, late: slowUpload },
      { afterMs: longestMs - elapsedMs, late: longUpload },
    ].reduce((first, next) => (next.afterMs < first.afterMs ? next : first));
  }

  /**
   * Reads and drops the rest without decompressing it. While a request is only half read, its client may not see the response, and the open
   * connection delays shutdown. A client that sends more than an upload may contain is disconnected.
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
    return new Problem(
      413,
      'body_too_large',
      `An upload can have at most ${megabytes} MB. Split it into smaller uploads.`,
    );
  }
}

function decoded(request: FastifyRequest, source: Readable): Readable {
  const encoding = request.headers['content-encoding']?.toLowerCase() ?? 'identity';
  if (encoding === 'identity') return source;
  if (encoding !== 'gzip') throw unsupported('Content-Encoding must be gzip or absent.');
  // not pipeline(): on invalid gzip it would close the connection before the client has the response
  const gunzip = createGunzip();
  finished(source, (error) => error && gunzip.destroy(error));
  return source.pipe(gunzip);
}

function incomplete(error: unknown): unknown {
  if (codeOf(error).startsWith('Z_')) return Problem.invalid([{ param: 'body', message: 'is not valid gzip' }]);
  return abortedBody(error) ?? error;
}

const lateUpload = (detail: string): Problem => new Problem(408, 'request_timeout', detail);
const stalledUpload = (): Problem => lateUpload('No data was received for a minute. Send the upload again.');
const slowUpload = (): Problem =>
  lateUpload(
    'The upload is too slow: after the first minute it must average at least 16 kB per second. Compress it, or split it into smaller uploads.',
  );
export const longUpload = (): Problem =>
  lateUpload('The upload took more than an hour to arrive. Compress it, or split it into smaller uploads.');

function unsupported(detail: string): Problem {
  return new Problem(415, 'unsupported_media_type', detail);
}
