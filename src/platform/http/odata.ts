import { pathOf } from './server/path-of.js';
import type { Problem } from './problem.js';

/** Root of the OData feed. Errors below it have OData's own format. */
export const ODATA_ROOT = '/odata/v4';

/** Headers of every reply of the feed. */
export const ODATA_HEADERS = { 'odata-version': '4.0', vary: 'accept' };

/**
 * The URL by which to route a request. OData's root ends with a slash, and some clients append one to every path, while routes have
 * none. Clients may also encode the `$` of `$metadata`, which denotes the same path (RFC 3986, section 6.2.2.2).
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
 * A refusal as an OData JSON error (OData JSON Format 4.0, section 19): the problem's code and wording, with `target` and `details`
 * for the invalid parameters.
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
