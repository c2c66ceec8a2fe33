import { describe, expect, it } from '@jest/globals';
import { createMultiply, PANEL_COLUMNS } from './matrix-kernel.js';

/** The same sums in the same order, one rounding to single precision after every operation. */
function reference(a: Float32Array, b: Float32Array, c: Float32Array, m: number, k: number, panels: number): void {
  const columns = panels * PANEL_COLUMNS;
  for (let i = 0; i < m; i++)
    for (let column = 0; column < columns; column++) {
      const panel = Math.floor(column / PANEL_COLUMNS);
      let sum = c[i * columns + column]!;
      for (let j = 0; j < k; j++) {
        const right = b[(panel * k + j) * PANEL_COLUMNS + (column % PANEL_COLUMNS)]!;
        sum = Math.fround(sum + Math.fround(a[i * k + j]! * right));
      }
      c[i * columns + column] = sum;
    }
}

const noise = (n: number, seed: number): Float32Array =>
  Float32Array.from({ length: n }, (_, i) => Math.sin(seed + i * 12.9898) * 10 ** ((i % 7) - 3));

describe('matrix kernel', () => {
  it.each([
    [1, 1, 1],
    [4, 129, 24],
    [7, 192, 27],
    [3, 17, 2],
  ])('equals the reference to the bit for %i rows, %i terms, %i panels', (m, k, panels) => {
    const memory = new WebAssembly.Memory({ initial: 8 });
    const columns = panels * PANEL_COLUMNS;
    const floats = new Float32Array(memory.buffer);
    const [a, b, c] = [0, m * k, m * k + k * columns];
    floats.set(noise(m * k, 1), a);
    floats.set(noise(k * columns, 2), b);
    floats.set(noise(m * columns, 3), c);
    const expected = floats.slice(c, c + m * columns);
    reference(floats.slice(a, b), floats.slice(b, c), expected, m, k, panels);

    createMultiply(memory)({
      ...{ a: 0, aRow: 4 * k, aColumn: 4, m, k, b: 4 * b, panels },
      ...{ c: 4 * c, cRow: 4 * columns, cPanel: 4 * PANEL_COLUMNS },
    });

    expect(floats.slice(c, c + m * columns)).toEqual(expected);
  });

  it('reads a transposed left matrix through its strides', () => {
    const memory = new WebAssembly.Memory({ initial: 1 });
    const floats = new Float32Array(memory.buffer);
    floats.set([1, 2, 3, 4, 5, 6], 0); // 3 x 2, used as its 2 x 3 transpose
    for (let j = 0; j < 3; j++) floats.fill(10 ** j, 8 + j * 8, 16 + j * 8);

    createMultiply(memory)({
      ...{ a: 0, aRow: 4, aColumn: 8, m: 2, k: 3, b: 32, panels: 1, c: 256, cRow: 32, cPanel: 32 },
    });

    expect(floats[64]).toBe(531);
    expect(floats[72]).toBe(642);
  });
});
