import type { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { Problem } from '../../platform/http/problem.js';

/** What others know about the owner of an account, and so guess first. */
export interface PasswordOwner {
  readonly email: string;
  readonly name: string;
}

/** Number of guesses below which a password is refused: against argon2id, this many take days. */
const MIN_GUESSES = 1e9;
/** Maximum number of characters to examine, and of substitutions in them (`@` for a): they bound the time to about 10 ms. */
const LIMITS = { maxLength: 64, l33tMaxSubstitutions: 20 };
/** Words related to this service. */
const OWN_WORDS = ['demand', 'forecast', 'forecasting'];
/** Shorter parts of a name or address are not distinctive. */
const MIN_WORD_LENGTH = 3;

/** Why a password is easy to guess, by zxcvbn warning. */
const REASONS: Readonly<Record<string, string>> = {
  straightRow: 'it follows a keyboard pattern',
  keyPattern: 'it follows a keyboard pattern',
  simpleRepeat: 'it repeats itself',
  extendedRepeat: 'it repeats itself',
  sequences: 'it counts up or down',
  recentYears: 'it is little more than a year',
  dates: 'it is little more than a date',
  topTen: 'it is a common password',
  topHundred: 'it is a common password',
  common: 'it is a common password',
  similarToCommon: 'it is similar to a common password',
  userInputs: 'it is made up of your name, your email address or words from this service',
};

/**
 * Refuses a new password that attackers try early: common ones, patterns, and variations on the owner's name and address (NIST SP
 * 800-63B, section 3.1.1.2), as estimated by zxcvbn (D. L. Wheeler, USENIX Security 2016).
 * @throws {Problem} 400 naming `param`, with the reason
 */
export async function requireHardToGuess(param: string, password: string, owner: PasswordOwner): Promise<void> {
  const { guesses, feedback } = (await estimator()).check(password, [...OWN_WORDS, ...wordsOf(owner)]);
  if (guesses >= MIN_GUESSES) return;
  const reason = REASONS[feedback.warning ?? ''] ?? 'it is a word or two, a name or a year';
  const message = `must be harder to guess: ${reason}; four unrelated words make a good password`;
  throw Problem.invalid([{ param, message }]);
}

function wordsOf({ email, name }: PasswordOwner): string[] {
  const [local = '', domain = ''] = email.split(/@(?=[^@]*$)/);
  const site = domain.replace(/\.[^.]*$/, '');
  const parts = [local, site, name].flatMap((text) => text.split(/[^\p{L}\p{N}]+/u));
  return [email, local, domain, name, ...parts].filter((word) => word.length >= MIN_WORD_LENGTH);
}

let loaded: Promise<ZxcvbnFactory> | undefined;

/** Loaded when the first password is set, since its dictionaries take about 25 MB. */
const estimator = (): Promise<ZxcvbnFactory> => (loaded ??= load());

async function load(): Promise<ZxcvbnFactory> {
  const [{ ZxcvbnFactory: Factory }, { adjacencyGraphs, dictionary }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ]);
  return new Factory({ graphs: adjacencyGraphs, dictionary, ...LIMITS });
}
