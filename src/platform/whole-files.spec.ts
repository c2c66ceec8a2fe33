import * as fs from 'node:fs';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';

/** Error code with which the mocked file system rejects hard links; undefined if it supports them. */
let refusal: string | undefined;

jest.unstable_mockModule('node:fs', () => ({
  ...fs,
  linkSync: (...args: Parameters<typeof fs.linkSync>): void => {
    if (refusal !== undefined) throw Object.assign(new Error(refusal), { code: refusal });
    fs.linkSync(...args);
  },
}));
const { createWhole, writeWhole } = await import('./whole-files.js');

describe('a file written atomically', () => {
  let directory: string;
  beforeEach(() => {
    refusal = undefined;
    directory = mkdtempSync(join(tmpdir(), 'whole-files-'));
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  it('is replaced, and leaves no other file behind', () => {
    const path = join(directory, 'file');
    writeWhole(path, 'one');
    writeWhole(path, 'two');
    expect(readFileSync(path, 'utf8')).toBe('two');
    expect(readdirSync(directory)).toEqual(['file']);
  });

  it('is created once, and keeps its first content', () => {
    const path = join(directory, 'file');
    createWhole(path, 'one', 0o600);
    expect(() => createWhole(path, 'two', 0o600)).toThrow(expect.objectContaining({ code: 'EEXIST' }));
    expect(readFileSync(path, 'utf8')).toBe('one');
    expect(readdirSync(directory)).toEqual(['file']);
  });

  it.each(['EPERM', 'ENOTSUP', 'ENOSYS'])('is created once without hard links (%s)', (code) => {
    const path = join(directory, 'file');
    refusal = code;
    createWhole(path, 'one', 0o600);
    expect(() => createWhole(path, 'two', 0o600)).toThrow(expect.objectContaining({ code: 'EEXIST' }));
    expect([readFileSync(path, 'utf8'), statSync(path).mode & 0o777]).toEqual(['one', 0o600]);
    expect(readdirSync(directory)).toEqual(['file']);
  });

  it('leaves nothing behind when it cannot be written', () => {
    mkdirSync(join(directory, 'taken'));
    expect(() => writeWhole(join(directory, 'taken'), 'text')).toThrow();
    expect(readdirSync(directory)).toEqual(['taken']);
  });
});
