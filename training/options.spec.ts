import { describe, expect, it } from '@jest/globals';
import { numberOption, parseOptions } from './options.js';

describe('numberOption', () => {
  it.each([
    [undefined, '1e-3', 0.001],
    [1, '0', 0],
    [32, '64', 64],
  ])('with step %p reads %p', (step, text, value) => {
    expect(numberOption(step)(text)).toBe(value);
  });

  it.each([
    [undefined, 0, 'x', 'expected a number, 0 or more'],
    [undefined, 0, ' ', 'expected a number, 0 or more'],
    [undefined, 0, '-1', 'expected a number, 0 or more'],
    [undefined, 0, 'Infinity', 'expected a number, 0 or more'],
    [1, 0, '1.5', 'expected a whole number, 0 or more'],
    [32, 32, '50', 'expected a multiple of 32, 32 or more'],
    [32, 32, '0', 'expected a multiple of 32, 32 or more'],
  ])('with step %p and minimum %p refuses %p', (step, least, text, message) => {
    expect(() => numberOption(step, least)(text)).toThrow(message);
  });
});

describe('parseOptions', () => {
  it('defaults to the settings of the shipped weights and accepts those of the command line', () => {
    const { settings, networks, threads, resume } = parseOptions(['--batch', '64', '--networks', '3', '--fresh']);
    expect(settings).toMatchObject({ hidden: 256, batch: 64, learningRate: 0.001, poolSeries: 204_800 });
    expect([networks, threads, resume]).toEqual([3, 2, false]);
  });
});
