import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { parseMonth } from '../../src/forecasting/index.js';
import { readSet, readSets } from './data-sets.js';

describe('a benchmark set in its own folder', () => {
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

  it('assigns every row to its month and treats months without a row or a value as missing', () => {
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

  it('is refused when a month occurs twice, when the parts overlap or when a series has no held-out part', () => {
    write('train', 'A,2024-01-01,1', 'A,2024-01-01,2');
    write('test', 'A,2024-02-01,3');
    expect(() => readSet(folder)).toThrow('line 3: series A has another row of 2024-01');
    write('train', 'A,2024-01-01,1', 'A,2024-02-01,2');
    expect(() => readSet(folder)).toThrow('the parts of series A overlap');
    write('test', 'B,2024-03-01,3');
    expect(() => readSet(folder)).toThrow('series B has no train part');
    write('test');
    expect(() => readSet(folder)).toThrow('series A has no test part');
  });

  it('accepts files from other programs: any column order, quotes, times of day, month-end dates, uncompressed', () => {
    writeFileSync(
      join(folder, 'train.csv'),
      '\ufeffds,category,unique_id,y\n2024-01-31 00:00:00,"a, b","A, 1",1.5e2\n',
    );
    writeFileSync(join(folder, 'test.csv'), 'Y;DS;unique_id\n7;2024-02-29;A, 1\nNaN;2024-03-31;A, 1\n');
    const { series } = readSet(folder);
    expect(series.map(({ history }) => history)).toEqual([
      { id: 'A, 1', startMonth: parseMonth('2024-01'), values: Float64Array.of(150) },
    ]);
    expect(series.map(({ actual }) => actual)).toEqual([Float64Array.of(7, NaN)]);
  });

  it('is refused with the file, line and column of the fault', () => {
    expect(() => readSet(folder)).toThrow(`${folder}: holds neither train.csv.gz nor train.csv`);
    write('train', 'A,2024-01-01,1', 'A,01.02.2024,2');
    expect(() => readSet(folder)).toThrow('train.csv.gz: line 3: ds: expected a date that begins with YYYY-MM');
    write('train', 'A,2024-01-01,"1,5"');
    expect(() => readSet(folder)).toThrow('train.csv.gz: line 2: y: expected a number or nothing, got "1,5"');
    writeFileSync(join(folder, 'train.csv.gz'), gzipSync('id,date,value\nA,2024-01-01,1'));
    expect(() => readSet(folder)).toThrow('train.csv.gz: line 1: ');
    writeFileSync(join(folder, 'train.csv.gz'), 'unique_id,ds,y');
    expect(() => readSet(folder)).toThrow('train.csv.gz: incorrect header check');
    write('train');
    write('test');
    expect(() => readSet(folder)).toThrow(`${folder}: holds no series`);
    const file = join(folder, 'train.csv.gz');
    expect(() => readSets([file])).toThrow(`${file}: holds neither train.csv.gz nor train.csv`);
  });

  it('can be one of several in a parent folder', () => {
    for (const name of ['a', 'b', 'no-set']) mkdirSync(join(folder, name));
    for (const name of ['a', 'b']) {
      writeFileSync(join(folder, name, 'train.csv'), 'unique_id,ds,y\nA,2024-01-01,1');
      writeFileSync(join(folder, name, 'test.csv'), 'unique_id,ds,y\nA,2024-02-01,2');
    }
    expect(readSets([folder]).map(({ name }) => name)).toEqual(['a', 'b']);
    expect(() => readSets([join(folder, 'no-set')])).toThrow('no-set: holds neither train.csv.gz nor train.csv');
  });
});
