import { maxHeaderSize } from 'node:http';
import { Problem } from '../../platform/http/problem.js';
import type { NextPage } from '../feed.service.js';

/** Characters of an address: what Node takes as the head of a request, less room for headers. */
const LONGEST_LINK = maxHeaderSize - 3_000;

/**
 * The absolute address of the next page. It is made of the token, which carries the query, and of $format, so that a key in the
 * query never gets into it.
 * @param next absent on the last page
 * @throws {Problem} 400 where the service would refuse the address for its length, or may that of a page after it: who follows
 *   the links is refused on the first page, not half-way
 */
export function nextLink(
  root: string,
  resource: string,
  next: NextPage | undefined,
  format: string | undefined,
): string | undefined {
  if (next === undefined) return undefined;
  const form = format === undefined ? '' : `$format=${encodeURIComponent(format)}&`;
  const address = `${root}/${resource}?${form}$skiptoken=`;
  if (address.length + Math.max(next.token.length, next.longest) > LONGEST_LINK) throw tooLong();
  return `${address}${next.token}`;
}

const tooLong = (): Problem =>
  new Problem(
    400,
    'invalid_request',
    `The query cannot be answered: its options are too long for the addresses of further pages, which have at most ${LONGEST_LINK} characters.`,
  );
