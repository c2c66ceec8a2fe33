import { createHmac, timingSafeEqual } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { optionFault } from './language/option-fault.js';
import type { GivenOptions, OptionName } from './query-options.js';
import type { Position } from './sql/keyset.js';

/** The options that determine the rows and their order. $top and $skip are part of {@link PagePosition}; the count is sent only once. */
export const CARRIED: readonly OptionName[] = ['$filter', '$apply', '$orderby', '$select', '$expand'];

/** Where the next page of a result begins, and of which query. */
export interface PagePosition {
  readonly position: Position;
  /** How many rows of $top remain; null without $top. */
  readonly remaining: number | null;
  /** The query's options among {@link CARRIED}. */
  readonly options: GivenOptions;
  /** As of when the pages are read. Null in a token of release 0.32.0 or before. */
  readonly asOf: string | null;
}

/** A new Huffman code every 2,000 symbols: position and options have few characters in common, and a shared code makes the token longer. */
const COMPRESSION = { memLevel: 5 };

/**
 * A margin: compression may make the token of a shorter position longer than that of the longest. By at most 53 characters in 145,000
 * tokens of random queries and positions.
 */
const UNEVENNESS = 128;

/** Length of the seal in bytes: too many to guess. */
const SEAL_BYTES = 16;

/**
 * Issues and reads $skiptoken. A token carries a position in the order, so that rows inserted in the meantime shift nothing, and the query,
 * compressed: thus the URLs of further pages are shorter than the first, in which percent-encoding takes three characters for a comma and
 * six for a non-ASCII letter. It is sealed for one set of one tenant.
 */
export class SkipTokens {
  /** @param secret of the installation: every process must be able to read the tokens of the others */
  constructor(private readonly secret: Buffer) {}

  /** @param audience who may read which rows with it */
  issue({ position, remaining, options, asOf }: PagePosition, audience: string): string {
    const content = deflateRawSync(JSON.stringify([position, remaining, options, asOf]), COMPRESSION).toString(
      'base64url',
    );
    return `${content}.${this.seal(content, audience).toString('base64url')}`;
  }

  /** Upper bound for the length of any token of the query, in characters. @param page with a position as long as any */
  longest(page: PagePosition, audience: string): number {
    return this.issue(page, audience).length + UNEVENNESS;
  }

  /** @throws {Problem} 400 if the token was not issued for the audience */
  read(token: string, audience: string): PagePosition {
    const [content = '', seal = ''] = token.split('.');
    const [given, expected] = [Buffer.from(seal, 'base64url'), this.seal(content, audience)];
    if (given.length !== SEAL_BYTES || !timingSafeEqual(given, expected)) throw foreignToken();
    const page: unknown = JSON.parse(inflateRawSync(Buffer.from(content, 'base64url')).toString());
    const [position, remaining, options, asOf = null] = page as [Position, number | null, GivenOptions, string?];
    return { position, remaining, options, asOf };
  }

  private seal(content: string, audience: string): Buffer {
    const seal = createHmac('sha256', this.secret).update('odata $skiptoken\n').update(audience).update('\n');
    return seal.update(content).digest().subarray(0, SEAL_BYTES);
  }
}

export const foreignToken = (): Error => optionFault('$skiptoken', 'must come from an @odata.nextLink of this query');
