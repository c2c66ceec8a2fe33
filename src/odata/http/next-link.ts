import { maxHeaderSize } from 'node:http';
import { Problem } from '../../platform/http/problem.js';
import type { NextPage } from '../feed.service.js';

/** Maximum length of a URL in characters: what Node accepts as the head of a request, minus room for headers. */
const MAX_LINK_LENGTH = maxHeaderSize - 3_000;

/**
 * The absolute URL of the next page. Its query contains only the token, which carries the options, and $format, so that an API key in the
 * query never gets into it.
 * @param next absent on the last page
 * @throws {Problem} 400 if this URL, or that of any later page, could be too long for the service: better rejected on the first page than
 * halfway
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
  if (address.length + Math.max(next.token.length, next.longest) > MAX_LINK_LENGTH) throw tooLong();
  return `${address}${next.token}`;
}

const tooLong = (): Problem =>
  new Problem(
    400,
    'invalid_request',
    `The query cannot be answered: its options are too long for the URLs of further pages, which can have at most ${MAX_LINK_LENGTH} characters.`,
  );
