import { describe, expect, it } from '@jest/globals';
import { INPUTS, OUTPUT_MONTHS, OUTPUTS } from '../../src/forecasting/network/shape.js';
import { Random } from '../random.js';
import { gradientNorm, sumGradients, updateParameters } from './adam.js';
import { Backpropagation } from './backpropagation.js';
import { initialParameters } from './initialize.js';
import { allocate, SHARDS, trainingMemory } from './memory.js';
import { pinballLoss } from './pinball-loss.js';

const ROWS = 8;
const SETTINGS = { learningRate: 1e-2, steps: 15, warmup: 3, decay: 0.1, clip: 0.5, averaging: 0.2 };

/** Trains repeatedly on one batch, with the update split into `parts` as among threads. */
function train(parts: number): { first: number; last: number; parameters: Float32Array } {
  const memory = trainingMemory({ hidden: 16, blocks: 1 }, ROWS * SHARDS);
  const network = new Backpropagation(memory, allocate(memory));
  const { floats } = network;
  const { size } = memory.layout;
  const random = new Random(4);
  floats.set(initialParameters(memory.layout, 1), memory.parameters);
  for (const shard of memory.shards) for (let i = 0; i < ROWS * INPUTS; i++) floats[shard.inputs + i] = random.normal();
  const targets = Float32Array.from({ length: ROWS * OUTPUT_MONTHS }, () => random.normal(1, 0.2));
  const weights = new Float32Array(ROWS).fill(1);
  const losses: number[] = [];
  for (let step = 0; step < SETTINGS.steps; step++) {
    network.transposeWeights();
    let loss = 0;
    for (const shard of memory.shards) {
      network.forward(shard);
      const share = 1 / (ROWS * SHARDS * OUTPUTS);
      loss += pinballLoss(floats, shard.outputs, shard.outputGradient, targets, weights, share);
      network.backward(shard);
    }
    losses.push(loss);
    const bounds = Array.from({ length: parts + 1 }, (_, i) => Math.floor((size * i) / parts));
    for (let i = 0; i < parts; i++) sumGradients(memory, floats, bounds[i]!, bounds[i + 1]!);
    const norm = gradientNorm(memory, floats);
    for (let i = 0; i < parts; i++) {
      const range = { from: bounds[i]!, to: bounds[i + 1]! };
      updateParameters(memory, floats, range, { step, norm, settings: SETTINGS });
    }
  }
  const parameters = floats.slice(memory.average, memory.average + size);
  return { first: losses[0]!, last: losses.at(-1)!, parameters };
}

describe('Adam', () => {
  it('lowers the loss on a batch that it sees repeatedly', () => {
    const { first, last } = train(1);
    expect(last).toBeLessThan(0.7 * first);
  });

  it('computes bit-identical parameters however they are distributed', () => {
    const whole = train(1).parameters;
    expect(train(3).parameters.every((x, i) => Object.is(x, whole[i]))).toBe(true);
  });
});
