import { describe, expect, it } from '@jest/globals';
import { networkLayout } from './shape.js';
import { decodeWeights, encodeWeights } from './weights.js';

const SHAPE = { hidden: 8, blocks: 1 };

describe('the weights file', () => {
  const parameters = Float32Array.from(
    { length: networkLayout(SHAPE).size },
    (_, i) => Math.sin(i * 1.7) * (1 + (i % 13)),
  );

  it('stores biases exactly and weights to half a step of their column', () => {
    const decoded = decodeWeights(encodeWeights([{ shape: SHAPE, parameters }]))[0]!;
    const { output } = networkLayout(SHAPE);

    expect(decoded.shape).toEqual(SHAPE);
    expect(decoded.parameters.slice(output.bias, output.bias! + output.outputs)).toEqual(
      parameters.slice(output.bias, output.bias! + output.outputs),
    );
    const largestMiss = decoded.parameters.reduce((most, x, i) => Math.max(most, Math.abs(x - parameters[i]!)), 0);
    expect(largestMiss).toBeLessThanOrEqual(13 / 127 / 2 + 1e-6);
  });

  it('is byte-identical when written again, with several networks', () => {
    const other = {
      shape: { hidden: 16, blocks: 0 },
      parameters: new Float32Array(networkLayout({ hidden: 16, blocks: 0 }).size),
    };
    const once = encodeWeights([{ shape: SHAPE, parameters }, other]);
    expect(decodeWeights(once).map(({ shape }) => shape)).toEqual([SHAPE, other.shape]);
    expect(Buffer.from(encodeWeights(decodeWeights(once))).equals(once)).toBe(true);
  });

  it('is refused when it has the wrong length', () => {
    expect(() => decodeWeights(encodeWeights([{ shape: SHAPE, parameters }]).slice(0, -1))).toThrow(/network weights/);
  });
});
