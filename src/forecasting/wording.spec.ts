import { describe, expect, it } from '@jest/globals';
import { inMonths, percentInWords, readable, readableDistinct, withUnit } from './wording.js';

describe('readable numbers', () => {
  it.each([
    [1234567.8, '1,234,568'],
    [100.4, '100'],
    [99.94, '99.9'],
    [10.04, '10'],
    [12.34, '12.3'],
    [9.96, '10'],
    [1.26, '1.3'],
    [0.0456, '0.046'],
    [7, '7'],
    [-3.456, '-3.5'],
    [1.26e-9, '0.0000000013'],
    [-1.26e-10, '-1.3e-10'],
    [3e-323, '3e-323'],
  ])('%d becomes %s', (value, told) => {
    expect(readable(value)).toBe(told);
  });

  it('get more digits when a few distinguish them, but not when it would take many', () => {
    expect(readableDistinct([1.21, 1.24])).toEqual(['1.21', '1.24']);
    expect(readableDistinct([1.2341, 1.2342])).toEqual(['1.2', '1.2']);
    expect(readableDistinct([5, 5])).toEqual(['5', '5']);
    expect(readableDistinct([1.2, 3.4])).toEqual(['1.2', '3.4']);
    expect(readableDistinct([0.111, 0.114, 5432.1])).toEqual(['0.111', '0.114', '5,432']);
    expect(readableDistinct([9.96, 10.02, 12345.6])).toEqual(['9.96', '10', '12,346']);
  });

  it.each([
    ['1', 'pieces', '1 piece'],
    ['1', 'Boxes', '1 Box'],
    ['1', 'patients', '1 patient'],
    ['1', 'batches', '1 batch'],
    ['1', 'cases', '1 case'],
    ['1', 'kg', '1 kg'],
    ['1', 'pcs', '1 pcs'],
    ['1', 'gross', '1 gross'],
    ['1', 'canvas', '1 canvas'],
    ['1', 'batteries', '1 batteries'],
    ['1', 'series', '1 series'],
    ['1', 'Lens', '1 Lens'],
    ['1', 'kg/s', '1 kg/s'],
    ['1', '1000 pieces', '1 × 1000 pieces'],
    ['1', undefined, '1'],
    ['2', '', '2'],
    ['2', '1000 pcs', '2 × 1000 pcs'],
    ['0.5', 'pieces', '0.5 pieces'],
    ['11', 'pieces', '11 pieces'],
  ])('%s of %s is %s', (number, unit, told) => {
    expect(withUnit(number, unit)).toBe(told);
  });

  it('are whole percents from ten on', () => {
    expect([percentInWords(46.07), percentInWords(9.94), percentInWords(0.93)]).toEqual(['46 %', '9.9 %', '0.93 %']);
  });

  it('count months', () => {
    expect([inMonths(1), inMonths(2), inMonths(1.5)]).toEqual(['1 month', '2 months', '1.5 months']);
  });
});
