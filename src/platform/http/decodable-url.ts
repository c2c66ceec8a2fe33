import { pathOf } from './path-of.js';

/**
 * The URL with a path that can be decoded. One that cannot, such as `/runs/%ff`, has its percent signs escaped, so that it means
 * the characters as written. The request then passes the usual checks and names an unknown id; the framework would refuse it
 * before any check.
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
