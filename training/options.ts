import { InvalidArgumentError, Command } from 'commander';
import type { SamplingSettings } from './data/batch-sampler.js';
import type { OptimiserSettings } from './model/adam.js';
import type { NetworkShape } from '../src/forecasting/network/shape.js';
import type { SyntheticSettings } from './synthetic/index.js';

/** Everything a training run depends on; the model card prints it. */
export interface TrainingSettings extends SamplingSettings, SyntheticSettings, OptimiserSettings, NetworkShape {
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

const DEFAULT_TRAINING: TrainingSettings = {
  ...{ hidden: 192, blocks: 2, seed: 1, steps: 9000, batch: 1024, cut: 1, real: 0.85 },
  ...{ learningRate: 1e-3, warmup: 200, decay: 0.1, clip: 0.5, averaging: 0.004 },
  ...{ mixing: 0.85, syntheticPartners: 0.5, shortening: 0.45, tilting: 0, deseasonalising: 0.15 },
  ...{ eventful: 0.5, gaussianProcess: 0.35, poolSeries: 204800, epochSteps: 3000 },
};

function number(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) throw new InvalidArgumentError('expected a number');
  return value;
}

/** Reads the command line; every setting is an option of the same name. */
export function parseOptions(argv: readonly string[]): TrainingOptions {
  const command = new Command('train')
    .description('Trains the forecasting network, quantises it and writes the weights with their model card.')
    .option('--threads <n>', 'worker threads', number, 2)
    .option('--data <directory>', 'bundled sets', 'bench/data')
    .option('--networks <n>', 'networks to train and average', number, 1)
    .option('--checkpoint <prefix>', 'where the state is kept between sessions', '.data/training/network')
    .option('--output <file>', 'write the quantised weights here instead of into the sources')
    .option('--fresh', 'ignore an existing checkpoint', false);
  for (const [name, value] of Object.entries(DEFAULT_TRAINING))
    command.option(`--${name} <n>`, `training setting`, number, value as number);
  const options = command.parse(argv, { from: 'user' }).opts<Record<string, unknown>>();
  const settings = Object.fromEntries(Object.keys(DEFAULT_TRAINING).map((key) => [key, options[key]]));
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
