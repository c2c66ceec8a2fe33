import { createHmac, timingSafeEqual } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { optionFault } from './language/option-fault.js';
import type { GivenOptions, OptionName } from './query-options.js';
import type { Position } from './sql/keyset.js';

/** What decides rows and their order. $top and $skip have become {@link PagePosition.remaining}, the count is told once. */
export const CARRIED: readonly OptionName[] = ['$filter', '$apply', '$orderby', '$select', '$expand'];

/** Where the next page of an answer begins, and what it is a page of. */
export interface PagePosition {
  readonly position: Position;
  /** Rows of $top that are still to come; null without $top. */
  readonly remaining: number | null;
  /** The options of the query that are {@link CARRIED}. */
  readonly options: GivenOptions;
}

/** A new Huffman code every 2,000 symbols: position and options have few characters in common, and one code for both is longer. */
const COMPRESSION = { memLevel: 5 };

/**
 * Characters by which the token of a position may be longer than that of one which holds more: the codes are chosen by all that
 * is compressed. At most 53 in 145,000 tokens of random queries and positions.
 */
const UNEVENNESS = 128;

/** Bytes of the seal: enough that nobody guesses one. */
const SEAL_BYTES = 16;

/**
 * Makes and reads $skiptoken. A token carries a position in the order, so rows inserted meanwhile shift nothing, and the query
 * itself, compressed: the address of a further page is then shorter than that of the first, where percent signs take three
 * characters for a comma and six for a letter beyond ASCII. Its seal fits one set of one tenant.
 */
export class SkipTokens {
  /** @param secret of the installation: every process must read the tokens of the others */
  constructor(private readonly secret: Buffer) {}

  /** @param audience who may read which rows with it */
  issue({ position, remaining, options }: PagePosition, audience: string): string {
    const content = deflateRawSync(JSON.stringify([position, remaining, options]), COMPRESSION).toString('base64url');
    return `${content}.${this.seal(content, audience).toString('base64url')}`;
  }

  /** Characters that no token of the query has more of. @param page with a position that holds as much as any */
  longest(page: PagePosition, audience: string): number {
    return this.issue(page, audience).length + UNEVENNESS;
  }

  /** @throws {Problem} 400 where the token was not issued for the audience */
  read(token: string, audience: string): PagePosition {
    const [content = '', seal = ''] = token.split('.');
    const [given, expected] = [Buffer.from(seal, 'base64url'), this.seal(content, audience)];
    if (given.length !== SEAL_BYTES || !timingSafeEqual(given, expected)) throw foreignToken();
    const page: unknown = JSON.parse(inflateRawSync(Buffer.from(content, 'base64url')).toString());
    const [position, remaining, options] = page as [Position, number | null, GivenOptions];
    return { position, remaining, options };
  }

  private seal(content: string, audience: string): Buffer {
    const seal = createHmac('sha256', this.secret).update('odata $skiptoken\n').update(audience).update('\n');
    return seal.update(content).digest().subarray(0, SEAL_BYTES);
  }
}

export const foreignToken = (): Error =>
  optionFault('$skiptoken', 'must be taken from an @odata.nextLink of this query');
