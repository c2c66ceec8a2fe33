import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { parseMonth } from '../../src/forecasting/index.js';
import { readSet } from './data-sets.js';

describe('a benchmark set in a folder of its own', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'benchmark-set-'));
  });

  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  const write = (part: 'train' | 'test', ...rows: string[]): void => {
    writeFileSync(join(folder, `${part}.csv.gz`), gzipSync(['unique_id,ds,y', ...rows].join('\r\n')));
  };

  it('puts every row in its month, and leaves months without a row or a value missing', () => {
    write('train', 'A,2024-04-01,4', 'A,2024-01-01,1', 'A,2024-02-01,');
    write('test', 'A,2024-08-01,8', 'A,2024-06-01,6');
    const { name, horizon, series } = readSet(`${folder}/`);
    expect(folder.endsWith(name)).toBe(true);
    expect(horizon).toBe(3);
    expect(series).toEqual([
      {
        history: { id: 'A', startMonth: parseMonth('2024-01'), values: Float64Array.of(1, NaN, NaN, 4, NaN) },
        actual: Float64Array.of(6, NaN, 8),
      },
    ]);
  });

  it('is refused where a month comes twice, where the parts overlap, and where a series has no held-out part', () => {
    write('train', 'A,2024-01-01,1', 'A,2024-01-01,2');
    write('test', 'A,2024-02-01,3');
    expect(() => readSet(folder)).toThrow('series A has two rows of 2024-01-01');
    write('train', 'A,2024-01-01,1', 'A,2024-02-01,2');
    expect(() => readSet(folder)).toThrow('the parts of series A overlap');
    write('test', 'B,2024-03-01,3');
    expect(() => readSet(folder)).toThrow('series A has no test part');
  });
});
