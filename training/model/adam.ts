import { type TrainingMemory } from './memory.js';

/** How the parameters are optimized. */
export interface OptimizerSettings {
  /** Largest learning rate. */
  readonly learningRate: number;
  /** Steps of the whole training. */
  readonly steps: number;
  /** Steps over which the learning rate rises from zero. */
  readonly warmup: number;
  /** Decoupled weight decay (Loshchilov and Hutter 2019), as a multiple of the learning rate; biases are not decayed. */
  readonly decay: number;
  /** Largest norm of the gradient. */
  readonly clip: number;
  /** Share of the present parameters that enters the running average at each step after the warm-up. */
  readonly averaging: number;
}

/** beta_1, beta_2 and epsilon of Kingma and Ba; beta_2 is .99 in place of their .999. */
const BETA_1 = 0.9;
const BETA_2 = 0.99;
const EPSILON = 1e-8;

/** Cosine from the full rate to a hundredth of it, after a linear warm-up. */
function learningRateAt(step: number, settings: OptimizerSettings): number {
  const warm = Math.min(1, (step + 1) / settings.warmup);
  return settings.learningRate * warm * (0.5 * (1 + Math.cos((Math.PI * step) / settings.steps)) + 0.01);
}

/** Adds the shards' gradients of parameters [from, to) into shard 0's, in the order of the shards. */
export function sumGradients(memory: TrainingMemory, floats: Float32Array, from: number, to: number): void {
  const [first, ...others] = memory.shards;
  for (const shard of others)
    for (let i = from; i < to; i++)
      floats[first!.gradient + i] = floats[first!.gradient + i]! + floats[shard.gradient + i]!;
}

/** Norm of the summed gradient. */
export function gradientNorm(memory: TrainingMemory, floats: Float32Array): number {
  const at = memory.shards[0]!.gradient;
  let sum = 0;
  for (let i = at; i < at + memory.layout.size; i++) sum += floats[i]! * floats[i]!;
  return Math.sqrt(sum);
}

/** Parameters [from, to) of a network: what one thread updates. */
export interface ParameterRange {
  readonly from: number;
  readonly to: number;
}

/** A step of the training. */
export interface OptimizerStep {
  /** Counted from 0. */
  readonly step: number;
  /** Of the summed gradient of all parameters. */
  readonly norm: number;
  readonly settings: OptimizerSettings;
}

/** One step of Adam (Kingma and Ba 2015) on a range of the parameters, and of their running average. */
export function updateParameters(
  memory: TrainingMemory,
  floats: Float32Array,
  { from, to }: ParameterRange,
  { step, norm, settings }: OptimizerStep,
): void {
  const rate = learningRateAt(step, settings);
  const scale = norm > settings.clip ? settings.clip / norm : 1;
  const firstCorrection = 1 - BETA_1 ** (step + 1);
  const secondCorrection = 1 - BETA_2 ** (step + 1);
  const averaging = step > settings.warmup ? settings.averaging : 1;
  const gradient = memory.shards[0]!.gradient;
  const update = (start: number, end: number, keep: number): void => {
    for (let i = Math.max(start, from); i < Math.min(end, to); i++) {
      const g = floats[gradient + i]! * scale;
      const m = BETA_1 * floats[memory.firstMoment + i]! + (1 - BETA_1) * g;
      const v = BETA_2 * floats[memory.secondMoment + i]! + (1 - BETA_2) * g * g;
      floats[memory.firstMoment + i] = m;
      floats[memory.secondMoment + i] = v;
      const change = (rate * (m / firstCorrection)) / (Math.sqrt(v / secondCorrection) + EPSILON);
      const value = (floats[memory.parameters + i]! - change) * keep;
      floats[memory.parameters + i] = value;
      const average = floats[memory.average + i]!;
      floats[memory.average + i] = average + (value - average) * averaging;
    }
  };
  for (const layer of memory.layout.layers) {
    const biases = layer.bias ?? layer.weights + layer.inputs * layer.outputs;
    update(layer.weights, biases, 1 - rate * settings.decay);
    if (layer.bias !== undefined) update(biases, biases + layer.outputs, 1);
  }
}
