import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { TextBuffer } from './text-buffer.js';

function written(value: number): string {
  const text = new TextBuffer(1);
  text.writeNumber(value);
  return text.finish().toString();
}

describe('numbers written as bytes', () => {
  it.each([
    0,
    -0,
    1,
    10,
    72,
    86.16325,
    0.1,
    0.000001,
    0.0000012,
    1e-7,
    5e-324,
    9999999,
    1234567.8,
    1e9,
    1e21,
    -3.5,
    NaN,
  ])('equal their JavaScript text: %d', (value) => expect(written(value)).toBe(String(value)));

  it('equal their JavaScript text for every number of seven significant digits', () => {
    const number = fc
      .tuple(fc.integer({ min: 1, max: 9_999_999 }), fc.integer({ min: -20, max: 20 }))
      .map(([digits, exponent]) => Number(`${digits}e${exponent}`));
    fc.assert(
      fc.property(number, (value) => expect(written(value)).toBe(String(value))),
      { numRuns: 5_000, seed: 1 },
    );
  });

  it('equal their JavaScript text for every double', () => {
    fc.assert(
      fc.property(fc.double(), (value) => expect(written(value)).toBe(String(value))),
      { numRuns: 5_000, seed: 1 },
    );
  });
});

describe('text in a growing buffer', () => {
  it('keeps every piece, however long the text gets', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary', maxLength: 60 }), { maxLength: 50 }), (pieces) => {
        const text = new TextBuffer(1);
        for (const piece of pieces) text.write(Buffer.from(piece));
        expect(text.finish()).toEqual(Buffer.concat(pieces.map((piece) => Buffer.from(piece))));
      }),
      { seed: 1 },
    );
  });
});
