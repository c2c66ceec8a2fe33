import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createWhole, writeWhole } from './whole-files.js';

describe('a file that is written whole', () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'whole-files-'));
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  it('is replaced, and leaves nothing beside it', () => {
    const path = join(directory, 'file');
    writeWhole(path, 'one');
    writeWhole(path, 'two');
    expect(readFileSync(path, 'utf8')).toBe('two');
    expect(readdirSync(directory)).toEqual(['file']);
  });

  it('is made by one of two, and stays as the first made it', () => {
    const path = join(directory, 'file');
    createWhole(path, 'one', 0o600);
    expect(() => createWhole(path, 'two', 0o600)).toThrow(expect.objectContaining({ code: 'EEXIST' }));
    expect(readFileSync(path, 'utf8')).toBe('one');
    expect(readdirSync(directory)).toEqual(['file']);
  });

  it('leaves nothing where it cannot be put', () => {
    mkdirSync(join(directory, 'taken'));
    expect(() => writeWhole(join(directory, 'taken'), 'text')).toThrow();
    expect(readdirSync(directory)).toEqual(['taken']);
  });
});
