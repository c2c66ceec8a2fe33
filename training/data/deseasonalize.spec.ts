import { expect, it } from '@jest/globals';
import { removeSeason } from './deseasonalize.js';

it.each([
  ['by ratios', 10],
  ['by differences', 0],
])('removing the season %s leaves the level and removes the pattern from the targets too', (_name, level) => {
  const values = Float64Array.from({ length: 84 }, (_, t) => level + 3 * Math.cos((2 * Math.PI * t) / 12));
  removeSeason(values, 60);
  values.forEach((x) => expect(Math.abs(x - level)).toBeLessThan(0.8));
});
