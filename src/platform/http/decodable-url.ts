import { pathOf } from './path-of.js';

/**
 * The URL with a path that decodes: one that does not, such as `/runs/%ff`, is taken for the characters it is written in. So
 * its caller meets the checks that every other does, and an id of it is unknown like other malformed ones; the framework
 * would refuse it before any check.
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
