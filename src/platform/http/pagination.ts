import type { FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from './problem.js';

/** One page of a keyset-paged list. */
export interface Page<Item> {
  readonly items: readonly Item[];
  /** Position after the last item; undefined on the last page. */
  readonly next?: CursorPosition;
}

/** The sort key of an item, as text values in the order of the ORDER BY. */
export type CursorPosition = readonly string[];

/** An opaque cursor. It names a position in the order, not an offset, so rows inserted meanwhile shift nothing. */
export function encodeCursor(position: CursorPosition): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url');
}

/**
 * @param length number of values that the list's sort key has
 * @throws {Problem} 400 naming `cursor` when it was not made by {@link encodeCursor} for such a list
 */
export function decodeCursor(cursor: string, length: number): CursorPosition {
  try {
    const position: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    if (Array.isArray(position) && position.length === length && position.every((part) => typeof part === 'string')) {
      return position as string[];
    }
  } catch {
    // answered below like any other malformed cursor
  }
  throw Problem.invalid([{ param: 'cursor', message: 'must be a cursor taken from a Link header of this list' }]);
}

/** Sets `Link: <…>; rel="next"` (RFC 8288) where there is a next page, and returns the bare array. */
export function sendPage<Item>(request: FastifyRequest, reply: FastifyReply, page: Page<Item>): readonly Item[] {
  if (page.next) {
    const url = new URL(request.url, 'http://relative');
    url.searchParams.set('cursor', encodeCursor(page.next));
    void reply.header('link', `<${url.pathname}${url.search}>; rel="next"`);
  }
  return page.items;
}
