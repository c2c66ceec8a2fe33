/** Command line of a benchmark: `--name value` pairs and flags after the benchmark's name. */
export interface Arguments {
  flag(name: string): boolean;
  value(name: string): string | undefined;
  list(name: string): string[] | undefined;
}

export function readArguments(words: readonly string[] = process.argv.slice(2)): Arguments {
  const value = (name: string): string | undefined => {
    const at = words.indexOf(`--${name}`);
    if (at < 0) return undefined;
    const next = words[at + 1];
    if (next === undefined || next.startsWith('--')) throw new Error(`--${name} needs a value`);
    return next;
  };
  return {
    flag: (name) => words.includes(`--${name}`),
    value,
    list: (name) =>
      value(name)
        ?.split(',')
        .filter((word) => word !== ''),
  };
}
