import { parse } from 'semver';

/** Longest version that is stored. */
const VERSION_MAX = 100;

/**
 * Whether text is a semantic version (semver.org 2.0.0) in the one spelling that is stored. Versions that differ in
 * build metadata only have the same precedence, so that they could not both be "the" release: they are not taken.
 */
export function isVersion(text: string): boolean {
  return text.length <= VERSION_MAX && parse(text)?.version === text;
}
