import type { GivenOptions, OptionName } from '../query-options.js';

/** What the link repeats: all that decides rows and form. $top and $skip are in the token, the count is told once. */
const REPEATED: readonly OptionName[] = ['$filter', '$apply', '$orderby', '$select', '$expand', '$format'];

/**
 * The absolute address of the next page. It is made of the options alone, so that a key in the query never gets into it.
 * @param token absent on the last page
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
  return `${root}/${resource}?${query.join('&')}`;
}
