import { parseArgs } from 'node:util';
import { UsageError } from '../../src/cli/input/usage-error.js';
import { wholeNumberOption } from '../../src/cli/input/whole-number-option.js';
import { messageOf } from '../../src/platform/faults.js';

const COUNTS = { minimum: 0, maximum: 999_999_999 };

/** Names of the options of a benchmark; each has the flag `json` besides. */
export interface OptionNames {
  /** Options with a value. */
  readonly values?: readonly string[];
  readonly flags?: readonly string[];
}

/** Options as they were given. */
export interface Arguments {
  flag(name: string): boolean;
  value(name: string): string | undefined;
  /** A whole number that is not negative. @throws {UsageError} where it is none */
  count(name: string): number | undefined;
  list(name: string): string[] | undefined;
}

/** @throws {UsageError} naming an option that there is not, or that lacks its value: one that was ignored would score something else */
export function readArguments(words: readonly string[], { values = [], flags = [] }: OptionNames = {}): Arguments {
  const given = parse(words, [
    ...values.map((name) => [name, { type: 'string' }] as const),
    ...[...flags, 'json'].map((name) => [name, { type: 'boolean' }] as const),
  ]);
  const value = (name: string): string | undefined => given[name] as string | undefined;
  const count = (name: string): number | undefined => {
    const text = value(name);
    return text === undefined ? undefined : wholeNumberOption(`--${name}`, COUNTS)(text);
  };
  return {
    flag: (name) => given[name] === true,
    value,
    count,
    list: (name) =>
      value(name)
        ?.split(',')
        .filter((word) => word !== ''),
  };
}

function parse(words: readonly string[], options: readonly (readonly [string, { type: 'string' | 'boolean' }])[]) {
  try {
    return parseArgs({ args: [...words], options: Object.fromEntries(options) }).values;
  } catch (error) {
    const [fault] = messageOf(error).split(/\.\s/);
    throw new UsageError(`${fault}; the options are ${options.map(([name]) => `--${name}`).join(', ')}`);
  }
}
