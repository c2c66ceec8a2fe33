import { describe, expect, it } from '@jest/globals';
import { networkLayout } from './shape.js';
import { decodeWeights, encodeWeights } from './weights.js';

const SHAPE = { hidden: 8, blocks: 1 };

describe('weights file', () => {
  const parameters = Float32Array.from(
    { length: networkLayout(SHAPE).size },
    (_, i) => Math.sin(i * 1.7) * (1 + (i % 13)),
  );

  it('keeps biases exactly and weights to half a step of their column', () => {
    const decoded = decodeWeights(encodeWeights({ shape: SHAPE, parameters }));
    const { output } = networkLayout(SHAPE);

    expect(decoded.shape).toEqual(SHAPE);
    expect(decoded.parameters.slice(output.bias, output.bias! + output.outputs)).toEqual(
      parameters.slice(output.bias, output.bias! + output.outputs),
    );
    decoded.parameters.forEach((x, i) => expect(Math.abs(x - parameters[i]!)).toBeLessThanOrEqual(13 / 127 / 2 + 1e-6));
  });

  it('gives the same bytes when written again', () => {
    const once = encodeWeights({ shape: SHAPE, parameters });
    expect(encodeWeights(decodeWeights(once))).toEqual(once);
  });

  it('refuses a file of another length', () => {
    expect(() => decodeWeights(encodeWeights({ shape: SHAPE, parameters }).slice(1))).toThrow(/network weights|hidden/);
  });
});
