import { maxHeaderSize } from 'node:http';
import { Problem } from '../../platform/http/problem.js';

/** Characters of an address: what Node takes as the head of a request, less room for headers. */
const LONGEST_LINK = maxHeaderSize - 3_000;

/**
 * The absolute address of the next page. It is made of the token, which carries the query, and of $format, so that a key in the
 * query never gets into it.
 * @param token absent on the last page
 * @throws {Problem} 400 where the service would refuse the address for its length
 */
export function nextLink(
  root: string,
  resource: string,
  { token, format }: { readonly token: string | undefined; readonly format: string | undefined },
): string | undefined {
  if (token === undefined) return undefined;
  const form = format === undefined ? '' : `$format=${encodeURIComponent(format)}&`;
  const link = `${root}/${resource}?${form}$skiptoken=${token}`;
  if (link.length > LONGEST_LINK) throw tooLong();
  return link;
}

const tooLong = (): Problem =>
  new Problem(
    400,
    'invalid_request',
    `The query cannot be answered: its options are too long for the address of a further page, which has at most ${LONGEST_LINK} characters.`,
  );
