import { pathOf } from './path-of.js';
import type { Problem } from './problem.js';

/** Root of the OData feed. Errors below it have OData's own form. */
export const ODATA_ROOT = '/odata/v4';

/** Headers of every reply of the feed. */
export const ODATA_HEADERS = { 'odata-version': '4.0', vary: 'accept' };

/**
 * The URL to route a request by. OData's root ends with a slash, and some clients end every path with one, while routes have
 * none. Clients may also encode the `$` of `$metadata`, which means the same path (RFC 3986, section 6.2.2.2).
 */
export function routedUrl(url: string): string {
  if (!isUnderODataRoot(url)) return url;
  const path = pathOf(url);
  return path.replaceAll('%24', '$').replace(/\/$/, '') + url.slice(path.length);
}

export function isUnderODataRoot(url: string): boolean {
  return url.startsWith(ODATA_ROOT) && ['', '/', '?'].includes(url.charAt(ODATA_ROOT.length));
}

/**
 * A refusal as OData JSON writes it (OData JSON Format 4.0, section 19): the code and wording of the problem, `target` and
 * `details` for the parameters at fault.
 */
export function odataErrorBody({ code, detail, options }: Problem): string {
  const { errors = [] } = options;
  const [first] = errors;
  return JSON.stringify({
    error: {
      code,
      message: detail,
      ...(first === undefined ? {} : { target: first.param }),
      ...(errors.length === 0
        ? {}
        : { details: errors.map(({ param, message }) => ({ code, target: param, message })) }),
    },
  });
}
