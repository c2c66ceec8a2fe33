import { describe, expect, it } from '@jest/globals';
import { INPUTS, OUTPUT_MONTHS, OUTPUTS } from '../../src/forecasting/network/shape.js';
import { Random } from '../random.js';
import { Backpropagation } from './backpropagation.js';
import { initialParameters } from './initialize.js';
import { allocate, SHARDS, trainingMemory } from './memory.js';
import { pinballLoss } from './pinball-loss.js';

const SHAPE = { hidden: 16, blocks: 2 };
const ROWS = 6;

function problem() {
  const memory = trainingMemory(SHAPE, ROWS * SHARDS);
  const network = new Backpropagation(memory, allocate(memory));
  const random = new Random(7);
  // Larger than initial weights, so that no gradient is lost to rounding.
  const start = initialParameters(memory.layout, 3).map((x) => x + 0.1 * random.normal());
  network.floats.set(start, memory.parameters);
  const shard = memory.shards[1]!;
  for (let i = 0; i < ROWS * INPUTS; i++) network.floats[shard.inputs + i] = random.normal();
  const targets = Float32Array.from({ length: ROWS * OUTPUT_MONTHS }, (_, i) =>
    i % 11 === 0 ? Number.NaN : random.normal(),
  );
  const weights = Float32Array.from({ length: ROWS }, () => random.uniform(0.5, 2));
  const loss = (): number => {
    network.forward(shard);
    return pinballLoss(network.floats, shard.outputs, shard.outputGradient, targets, weights, 1 / (ROWS * OUTPUTS));
  };
  return { memory, network, shard, loss };
}

describe('backpropagation', () => {
  it('matches the slope of the loss along random directions in every layer', () => {
    const { memory, network, shard, loss } = problem();
    const random = new Random(11);
    loss();
    network.transposeWeights();
    network.backward(shard);
    const gradient = Float64Array.from(network.floats.subarray(shard.gradient, shard.gradient + memory.layout.size));
    const start = network.floats.slice(memory.parameters, memory.parameters + memory.layout.size);

    for (const layer of memory.layout.layers) {
      const end =
        (layer.bias ?? layer.weights + layer.inputs * layer.outputs) + (layer.bias === undefined ? 0 : layer.outputs);
      const raw = start.map((_, i) => (i >= layer.weights && i < end ? random.normal() : 0));
      const length = Math.hypot(...raw.subarray(layer.weights, end));
      const direction = raw.map((x) => x / length);
      const step = 3e-3;
      const lossAt = (distance: number): number => {
        network.floats.set(
          start.map((x, i) => x + distance * direction[i]!),
          memory.parameters,
        );
        return loss();
      };
      const slope = (lossAt(step) - lossAt(-step)) / (2 * step);
      const expected = gradient.reduce((sum, g, i) => sum + g * direction[i]!, 0);
      network.floats.set(start, memory.parameters);

      expect(Math.abs(slope - expected)).toBeLessThan(0.01 * Math.abs(expected) + 2e-6);
      expect(Math.abs(expected)).toBeGreaterThan(1e-5);
    }
  });

  it('gives no gradient where the target is unknown', () => {
    const { memory, network, shard } = problem();
    network.forward(shard);
    const unknown = new Float32Array(ROWS * OUTPUT_MONTHS).fill(Number.NaN);
    const value = pinballLoss(
      network.floats,
      shard.outputs,
      shard.outputGradient,
      unknown,
      new Float32Array(ROWS).fill(1),
      1,
    );
    network.backward(shard);

    expect(value).toBe(0);
    expect(network.floats.subarray(shard.gradient, shard.gradient + memory.layout.size).every((g) => g === 0)).toBe(
      true,
    );
  });
});
