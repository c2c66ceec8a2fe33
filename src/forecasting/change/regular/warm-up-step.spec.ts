import { describe, expect, it } from '@jest/globals';
import { withoutStep } from './warm-up-step.js';

const points = (value: (t: number) => number) =>
  Array.from({ length: 24 }, (_, index) => ({ index, value: value(index) }));
const season = (t: number) => 1 + 0.5 * Math.sin((2 * Math.PI * (t - 2)) / 12);
const noise = (t: number) => 1 + ((t * 7) % 5) / 100;

describe('withoutStep', () => {
  it.each([4, 9, 11, 13, 20])(
    'brings the months before a step in month %d to the level after it, in proportion',
    (at) => {
      for (const level of [6, 15]) {
        const levelled = withoutStep(points((t) => (t < at ? 10 : level) * season(t)))!;
        levelled.forEach(({ value }, t) => expect(value).toBeCloseTo(level * season(t), 6));
      }
    },
  );

  it('finds a step after exactly a year if it shows at once', () => {
    const levelled = withoutStep(points((t) => (t < 12 ? 10 : 15) * noise(t)))!;
    for (const { value } of levelled) expect(value).toBeCloseTo(15, -0.3);
  });

  it('compares months with those of the year before, whatever is missing between', () => {
    const all = points((t) => (t < 9 ? 10 : 15) * season(t)).filter(({ index }) => index !== 5 && index !== 14);
    for (const { index, value } of withoutStep(all)!) expect(value).toBeCloseTo(15 * season(index), 6);
  });

  it.each<[string, (t: number) => number]>([
    ['no change', () => 10],
    ['noise', noise],
    ['growth', (t) => (10 + t) * noise(t)],
    ['growth at a constant rate', (t) => 10 * 1.03 ** t],
    ['a season', (t) => 10 * season(t) * noise(t)],
    ['a single odd month', (t) => (t === 11 ? 40 : 10 * noise(t))],
    ['no demand before', (t) => (t < 9 ? 0 : 15)],
    ['an episode that ends with the first year', (t) => (t >= 5 && t < 12 ? 15 : 10) * noise(t)],
    ['an episode that ends a month later', (t) => (t >= 6 && t < 13 ? 15 : 10) * noise(t)],
    ['an episode that begins with the second year', (t) => (t >= 12 && t < 18 ? 6 : 10) * season(t)],
    ['growth in a season that rises as the second year begins', (t) => 10 * 1.6 ** (t / 12) * season(t + 2)],
  ])('finds no step in %s', (_, value) => {
    expect(withoutStep(points(value))).toBeUndefined();
  });

  it('finds no step with few months known in both years', () => {
    expect(withoutStep(points((t) => (t < 9 ? 10 : 15)).filter(({ index }) => index % 12 > 3))).toBeUndefined();
  });
});
