import { Problem } from '../../platform/http/problem.js';

/** What follows a message whose likely cause is a string without quotes. */
export const QUOTES_MISSING = '; put strings in quotes';

/**
 * 400 that names the query option and, if known, the character.
 * @param at offset in the option's decoded text, from 0
 */
export function optionFault(option: string, message: string, at?: number): Problem {
  return Problem.invalid([
    { param: option, message: at === undefined ? message : `at character ${at + 1}: ${message}` },
  ]);
}

/**
 * 501: a part of OData that the feed does not support.
 * @param hint what to write instead, if known
 */
export function notImplemented(what: string, hint?: string): Problem {
  return new Problem(
    501,
    'not_implemented',
    `The feed does not support ${what}${hint === undefined ? '' : `; ${hint}`}.`,
  );
}
