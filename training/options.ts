import { InvalidArgumentError, Command } from 'commander';
import type { SamplingSettings } from './data/batch-sampler.js';
import type { OptimizerSettings } from './model/adam.js';
import { SHARDS } from './model/memory.js';
import { PANEL_COLUMNS } from '../src/forecasting/network/matrix-kernel.js';
import type { NetworkShape } from '../src/forecasting/network/shape.js';
import { BLOCK_SERIES, type SyntheticSettings } from './synthetic/index.js';

/** Everything a training run depends on; the model card prints it. */
export interface TrainingSettings extends SamplingSettings, SyntheticSettings, OptimizerSettings, NetworkShape {
  readonly seed: number;
  readonly batch: number;
  /** Horizons left out before the end of each training part. */
  readonly cut: number;
  /** Multiplies the shares of the bundled sets; 0 trains on synthetic series alone. */
  readonly real: number;
  /** Synthetic series at a time. */
  readonly poolSeries: number;
  /** Steps after which the synthetic series are drawn anew. */
  readonly epochSteps: number;
}

/** What the command line asks for. */
export interface TrainingOptions {
  readonly settings: TrainingSettings;
  /** Networks to train, with seeds from `settings.seed` on; their forecasts are averaged. */
  readonly networks: number;
  readonly threads: number;
  readonly data: string;
  /** Start of the names of the files that keep the state between sessions, one a network. */
  readonly checkpoint: string;
  /** Where the quantised weights go; the shipped module and the model card are written when it is undefined. */
  readonly output: string | undefined;
  readonly resume: boolean;
}

/** Defaults, with which the shipped weights were trained, what the command line says of them, and what whole ones are multiples of. */
const SETTINGS: Readonly<Record<keyof TrainingSettings, readonly [value: number, description: string, step?: number]>> =
  {
    hidden: [256, 'width of the hidden layers', PANEL_COLUMNS],
    blocks: [2, 'residual blocks', 1],
    seed: [1, 'seed of every random number', 1],
    steps: [20_000, 'optimizer steps', 1],
    batch: [1024, 'rows of a step', SHARDS],
    cut: [1, 'horizons left out before the end of each training part', 1],
    real: [0.85, 'factor on the shares of the bundled sets; 0: synthetic series alone'],
    learningRate: [1e-3, 'largest learning rate'],
    warmup: [200, 'steps of linear warm-up', 1],
    decay: [0.1, 'weight decay, as a multiple of the learning rate'],
    clip: [0.5, 'largest norm of the gradient'],
    averaging: [0.003, 'share of the present weights in their running average'],
    mixing: [0.85, 'share of M3 and hospital windows averaged with another'],
    syntheticPartners: [0.5, 'share of these partners that are synthetic'],
    shortening: [0.45, 'share of histories shortened to 12 to 60 months'],
    tilting: [0, 'share of real windows given a random growth'],
    deseasonalizing: [0.15, 'share of windows without their season'],
    eventful: [0.5, 'share of synthetic series with calendars, cycles and life cycles'],
    gaussianProcess: [0.35, 'share of synthetic series from Gaussian processes'],
    poolSeries: [204_800, 'synthetic series at a time', BLOCK_SERIES],
    epochSteps: [3000, 'steps after which they are drawn anew', 1],
  };

/**
 * Reads a number of `least` or more; with a `step`, a multiple of it.
 * @throws {InvalidArgumentError} of anything else
 */
export function numberOption(step?: number, least = 0): (text: string) => number {
  const kind = step === undefined ? 'number' : step === 1 ? 'whole number' : `multiple of ${step}`;
  return (text) => {
    const value = text.trim() === '' ? NaN : Number(text);
    if (value >= least && value < Infinity && (step === undefined || value % step === 0)) return value;
    throw new InvalidArgumentError(`expected a ${kind}, ${least} or more`);
  };
}

/** Reads the command line; every setting is an option of the same name. */
export function parseOptions(argv: readonly string[]): TrainingOptions {
  const command = new Command('train')
    .description('Trains the forecasting network, quantises it and writes the weights with their model card.')
    .option('--threads <n>', 'threads', numberOption(1), 2)
    .option('--data <directory>', 'bundled sets', 'bench/data')
    .option('--networks <n>', 'networks to train and average', numberOption(1, 1), 1)
    .option('--checkpoint <prefix>', 'where the state is kept between sessions', '.data/training/network')
    .option('--output <file>', 'write the quantised weights here instead of into the sources')
    .option('--fresh', 'ignore an existing checkpoint', false);
  for (const [name, [value, description, step]] of Object.entries(SETTINGS)) {
    const said = step === undefined || step === 1 ? description : `${description}, a multiple of ${step}`;
    command.option(`--${name} <n>`, said, numberOption(step, step === 1 ? 0 : step), value);
  }
  const options = command.parse(argv, { from: 'user' }).opts<Record<string, unknown>>();
  const settings = Object.fromEntries(Object.keys(SETTINGS).map((key) => [key, options[key]]));
  return {
    settings: settings as unknown as TrainingSettings,
    networks: options['networks'] as number,
    threads: options['threads'] as number,
    data: options['data'] as string,
    checkpoint: options['checkpoint'] as string,
    output: options['output'] as string | undefined,
    resume: options['fresh'] !== true,
  };
}
