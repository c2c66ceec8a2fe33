import { existsSync } from 'node:fs';
import { UsageError } from '../src/cli/input/usage-error.js';
import { type Arguments, type OptionNames, readArguments } from './support/arguments.js';
import { renderReport } from './support/table.js';

/** Benchmarks by the name of their file here. */
const BENCHMARKS = [
  'accuracy',
  'engine',
  'api',
  'detection',
  'sensing',
  'service-level',
  'totals',
  'undershoot',
  'community',
  'upload',
];

interface Benchmark {
  /** None where there is no such export. */
  readonly OPTIONS?: OptionNames;
  run(options: Arguments): Promise<object>;
}

/** Runs one benchmark: `node dist/bench/main.js <name> [--json] [options]`. */
async function main(): Promise<void> {
  const name = process.argv[2] ?? '';
  const file = new URL(`./${name}.js`, import.meta.url);
  if (!BENCHMARKS.includes(name) || !existsSync(file)) {
    console.error(`usage: bench <${BENCHMARKS.join('|')}> [--json]`);
    process.exitCode = 2;
    return;
  }
  const benchmark = (await import(file.href)) as Benchmark;
  try {
    const options = readArguments(process.argv.slice(3), benchmark.OPTIONS);
    const report = await benchmark.run(options);
    console.log(options.flag('json') ? JSON.stringify(report, null, 2) : renderReport(report));
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    console.error(error.message);
    process.exitCode = 2;
  }
}

await main();
