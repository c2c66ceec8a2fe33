import { maxHeaderSize } from 'node:http';
import { Problem } from '../../platform/http/problem.js';
import type { GivenOptions, OptionName } from '../query-options.js';

/** What the link repeats: all that decides rows and form. $top and $skip are in the token, the count is told once. */
const REPEATED: readonly OptionName[] = ['$filter', '$apply', '$orderby', '$select', '$expand', '$format'];

/** Characters of an address: what Node takes as the head of a request, less room for headers. */
const LONGEST_LINK = maxHeaderSize - 3_000;

/**
 * The absolute address of the next page. It is made of the options alone, so that a key in the query never gets into it.
 * @param token absent on the last page
 * @throws {Problem} 400 where the service would refuse the address for its length, on whichever page: the longest texts that
 *   an order allows would leave no room for options that fit with those at hand
 */
export function nextLink(
  root: string,
  resource: string,
  options: GivenOptions,
  token: string | undefined,
): string | undefined {
  if (token === undefined) return undefined;
  const repeated = REPEATED.flatMap((name) => (options[name] === undefined ? [] : [[name, options[name]] as const]));
  const query = [...repeated, ['$skiptoken', token] as const].map(
    ([name, value]) => `${name}=${encodeURIComponent(value)}`,
  );
  const link = `${root}/${resource}?${query.join('&')}`;
  if (link.length > LONGEST_LINK) throw tooLong();
  return link;
}

const tooLong = (): Problem =>
  new Problem(
    400,
    'invalid_request',
    `The query cannot be answered: its options are too long for the address of a further page, which has at most ${LONGEST_LINK} characters.`,
  );
