import { parse } from 'semver';

/** Maximum length of a stored version. */
const MAX_LENGTH = 100;

/**
 * Whether the text is a semantic version (semver.org 2.0.0) in canonical form. Versions that differ only in build metadata have the
 * same precedence, so that they could not both be "the" release: build metadata is not allowed.
 */
export function isVersion(text: string): boolean {
  return text.length <= MAX_LENGTH && parse(text)?.version === text;
}
