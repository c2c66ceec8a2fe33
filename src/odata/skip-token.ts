import { createHmac, timingSafeEqual } from 'node:crypto';
import { optionFault } from './language/option-fault.js';
import type { Position } from './sql/keyset.js';

/** Where the next page of an answer begins. */
export interface PagePosition {
  readonly position: Position;
  /** Rows of $top that are still to come; null without $top. */
  readonly remaining: number | null;
}

/** Bytes of the seal: enough that nobody guesses one. */
const SEAL_BYTES = 16;

/**
 * Makes and reads $skiptoken. A token carries a position in the order, so rows inserted meanwhile shift nothing; its seal
 * fits one query of one tenant, so that a position is never read as one of another order.
 */
export class SkipTokens {
  /** @param secret of the installation: every process must read the tokens of the others */
  constructor(private readonly secret: Buffer) {}

  /** @param query everything that decides which rows there are and in which order */
  issue(next: PagePosition, query: string): string {
    const content = Buffer.from(JSON.stringify([next.position, next.remaining]));
    return `${content.toString('base64url')}.${this.seal(content, query).toString('base64url')}`;
  }

  /** @throws {Problem} 400 where the token was not issued for the query */
  read(token: string, query: string): PagePosition {
    const [text = '', seal = ''] = token.split('.');
    const content = Buffer.from(text, 'base64url');
    const [given, expected] = [Buffer.from(seal, 'base64url'), this.seal(content, query)];
    if (given.length !== SEAL_BYTES || !timingSafeEqual(given, expected)) {
      throw optionFault('$skiptoken', 'must be taken from an @odata.nextLink of this query');
    }
    const [position, remaining] = JSON.parse(content.toString()) as [Position, number | null];
    return { position, remaining };
  }

  private seal(content: Buffer, query: string): Buffer {
    const seal = createHmac('sha256', this.secret).update('odata $skiptoken\n').update(query).update('\n');
    return seal.update(content).digest().subarray(0, SEAL_BYTES);
  }
}
