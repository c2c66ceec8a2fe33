import { UsageError } from '../../src/cli/usage-error.js';
import { wholeNumberOption } from '../../src/cli/whole-number-option.js';

const COUNTS = { minimum: 0, maximum: 999_999_999 };

/** Command line of a benchmark: `--name value` pairs and flags after the benchmark's name. */
export interface Arguments {
  flag(name: string): boolean;
  value(name: string): string | undefined;
  /** A whole number that is not negative. */
  count(name: string): number | undefined;
  list(name: string): string[] | undefined;
}

/** @throws {UsageError} where a value is missing or not what was asked for, once it is asked for */
export function readArguments(): Arguments {
  const words = process.argv.slice(2);
  const value = (name: string): string | undefined => {
    const at = words.indexOf(`--${name}`);
    if (at < 0) return undefined;
    const next = words[at + 1];
    if (next === undefined || next.startsWith('--')) throw new UsageError(`--${name}: needs a value`);
    return next;
  };
  const count = (name: string): number | undefined => {
    const text = value(name);
    return text === undefined ? undefined : wholeNumberOption(`--${name}`, COUNTS)(text);
  };
  return {
    flag: (name) => words.includes(`--${name}`),
    value,
    count,
    list: (name) =>
      value(name)
        ?.split(',')
        .filter((word) => word !== ''),
  };
}
