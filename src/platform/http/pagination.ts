import type { FastifyReply, FastifyRequest } from 'fastify';
import { isId } from '../ids.js';
import { parseInstant } from './rules/instant.js';
import { Problem } from './problem.js';

/** A page of a list with keyset pagination. */
export interface Page<Item> {
  readonly items: readonly Item[];
  /** Position after the last item; undefined on the last page. */
  readonly next?: CursorPosition | undefined;
}

/** An item's sort key as text values in ORDER BY order; in a cursor, preceded by the name of the list. */
export type CursorPosition = readonly string[];

/** Encodes an opaque cursor. It denotes a position in the order, not an offset, so rows inserted in the meantime shift nothing. */
export function encodeCursor(position: CursorPosition): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url');
}

/** Type of a sort key value, checked so that a forged cursor never reaches SQL. */
export type CursorPart = 'text' | 'integer' | 'boolean' | 'instant' | 'day' | 'id';

/** PostgreSQL has no year 0. */
const isInstant = (text: string): boolean => !text.startsWith('0000') && parseInstant(text) !== undefined;

const IS_PART: Readonly<Record<CursorPart, (text: string) => boolean>> = {
  text: (text) => !text.includes('\0'), // PostgreSQL rejects such text
  integer: (text) => /^\d{1,10}$/.test(text) && Number(text) < 2 ** 31,
  boolean: (text) => text === 'true' || text === 'false',
  instant: (text) => /T[\d:.]{8,}Z$/.test(text) && isInstant(text), // PostgreSQL accepts fewer formats than parseInstant
  day: (text) => text.length === 10 && isInstant(text),
  id: isId,
};

/**
 * @param list its name, as passed to {@link pageOf}
 * @param parts the types of the values in the list's sort key
 * @returns undefined without a cursor: the first page
 * @throws {Problem} 400 naming `cursor` if it was not made by {@link encodeCursor} for this list
 */
export function decodeCursor(
  cursor: string | undefined,
  list: string,
  parts: readonly CursorPart[],
): CursorPosition | undefined {
  if (cursor === undefined) return undefined;
  try {
    const named: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    const [name, ...position] = named as unknown[];
    const fits =
      name === list &&
      position.length === parts.length &&
      parts.every((part, at) => typeof position[at] === 'string' && IS_PART[part](position[at]));
    if (fits) return position as string[];
  } catch {
    // handled below like any other malformed cursor
  }
  throw Problem.invalid([{ param: 'cursor', message: 'must be a cursor from a Link header of this list' }]);
}

/**
 * Makes a page from the rows that a query fetched, one more than the page holds.
 * @param fetched its last entries are undefined if the rows do not fit on the page (platform/database/page-room.ts)
 * @param positionOf the sort key of an item
 */
export function toPage<Item>(
  fetched: readonly (Item | undefined)[],
  limit: number,
  positionOf: (item: Item) => CursorPosition,
): Page<Item> {
  const items = fetched.slice(0, limit).filter((item) => item !== undefined);
  const last = items.at(-1);
  return fetched.length > items.length && last !== undefined ? { items, next: positionOf(last) } : { items };
}

/** The page with its cursor bound to the list of that name: other lists reject it. */
export function pageOf<Item>(list: string, { next, ...page }: Page<Item>): Page<Item> {
  return next === undefined ? page : { ...page, next: [list, ...next] };
}

/** The page with its items mapped. */
export function mapPage<Item, Other>({ items, ...page }: Page<Item>, toOther: (item: Item) => Other): Page<Other> {
  return { ...page, items: items.map((item) => toOther(item)) };
}

/** How a list is ordered. */
export interface ListOrder<Item> {
  /** The name of the list. */
  readonly list: string;
  /** The types of the values in its sort key. */
  readonly parts: readonly CursorPart[];
  readonly positionOf: (item: Item) => CursorPosition;
}

/** Which rows of a list to fetch for a page. */
export interface Slice<Position = CursorPosition> {
  /** One more than the page holds. */
  readonly limit: number;
  /** The position to start after; undefined for the first page. */
  readonly after?: Position | undefined;
}

/** {@link Slice} of a list ordered by id. */
export type IdSlice = Slice<string>;

interface PageQuery {
  readonly limit: number;
  readonly cursor?: string;
}

/** Fetches a page of a list. @throws {Problem} as {@link decodeCursor} */
export async function listPage<Item>(
  { limit, cursor }: PageQuery,
  { list, parts, positionOf }: ListOrder<Item>,
  fetch: (slice: Slice) => Promise<readonly (Item | undefined)[]>,
): Promise<Page<Item>> {
  const after = decodeCursor(cursor, list, parts);
  return pageOf(list, toPage(await fetch({ limit: limit + 1, after }), limit, positionOf));
}

/** {@link listPage} for the list of that name, ordered by id. */
export function idPage<Item extends { readonly id: string }>(
  list: string,
  query: PageQuery,
  fetch: (slice: IdSlice) => Promise<readonly (Item | undefined)[]>,
): Promise<Page<Item>> {
  const order: ListOrder<Item> = { list, parts: ['id'], positionOf: ({ id }) => [id] };
  return listPage(query, order, ({ limit, after }) => fetch({ limit, after: after?.[0] }));
}

/** Sets `Link: <…>; rel="next"` (RFC 8288) if there is a next page. */
export function linkNext(request: FastifyRequest, reply: FastifyReply, next: CursorPosition | undefined): void {
  if (!next) return;
  const url = new URL(request.url, 'http://relative');
  url.searchParams.set('cursor', encodeCursor(next));
  void reply.header('link', `<${url.pathname}${url.search}>; rel="next"`);
}
