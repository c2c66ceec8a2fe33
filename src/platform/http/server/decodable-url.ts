import { pathOf } from './path-of.js';

/**
 * The URL with a decodable path. In a path that cannot be decoded, such as `/runs/%ff`, the percent signs are escaped, so that they
 * stand for themselves. The request then passes the usual checks and names an unknown id; the framework would reject it before any
 * check.
 */
export function decodableUrl(url: string): string {
  const path = pathOf(url);
  if (!path.includes('%')) return url;
  try {
    decodeURIComponent(path);
    return url;
  } catch {
    return path.replaceAll('%', '%25') + url.slice(path.length);
  }
}
