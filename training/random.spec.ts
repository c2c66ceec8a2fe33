import { describe, expect, it } from '@jest/globals';
import { Random } from './random.js';

const draws = 20_000;
const moments = (draw: () => number): [number, number] => {
  const values = Array.from({ length: draws }, draw);
  const mean = values.reduce((sum, x) => sum + x, 0) / draws;
  return [mean, values.reduce((sum, x) => sum + (x - mean) ** 2, 0) / draws];
};

describe('random numbers', () => {
  it('are the same for the same stream and different for another', () => {
    const take = (...stream: number[]) => {
      const random = new Random(...stream);
      return Array.from({ length: 5 }, () => random.uniform());
    };
    expect(take(1, 2, 3)).toEqual(take(1, 2, 3));
    expect(take(1, 2, 3)).not.toEqual(take(1, 3, 2));
  });

  it('are those that the shipped weights were trained with', () => {
    const random = new Random(17, 3);
    const drawn = [random.uniform(), random.normal(), random.gamma(0.5), random.gamma(3, 2), random.poisson(4)];
    expect([...drawn, random.poisson(90), random.lognormal(0, 1), random.exponential(), random.student(5)]).toEqual([
      0.2544099949300289, 0.7975163803734725, 1.4791198166057573, 5.814855342489328, 7, 88, 0.09978660782269297,
      0.6386044351466069, -2.2029838301059934,
    ]);
  });

  it.each([
    ['uniform', (r: Random) => r.uniform(), 0.5, 1 / 12],
    ['normal', (r: Random) => r.normal(3, 2), 3, 4],
    ['exponential', (r: Random) => r.exponential(2), 2, 4],
    ['gamma', (r: Random) => r.gamma(3, 2), 6, 12],
    ['gamma below one', (r: Random) => r.gamma(0.5), 0.5, 0.5],
    ['beta', (r: Random) => r.beta(2, 6), 0.25, 1 / 48],
    ['poisson', (r: Random) => r.poisson(4), 4, 4],
    ['large poisson', (r: Random) => r.poisson(90), 90, 90],
    ['student', (r: Random) => r.student(10), 0, 1.25],
  ])('%s has the expected mean and variance', (_name, draw, mean, variance) => {
    const random = new Random(5);
    const [m, v] = moments(() => draw(random));
    expect(Math.abs(m - mean)).toBeLessThan(4 * Math.sqrt(variance / draws));
    expect(Math.abs(v / variance - 1)).toBeLessThan(0.1);
  });
});
