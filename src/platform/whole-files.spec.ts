import fs, { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createWhole, writeWhole } from './whole-files.js';

/** Has the file system reject hard links with an error of the code, until mocks are restored. */
function refuseLinks(code: string): jest.SpiedFunction<typeof fs.linkSync> {
  const refused = jest.spyOn(fs, 'linkSync').mockImplementation(() => {
    throw Object.assign(new Error(code), { code });
  });
  syncBuiltinESMExports();
  return refused;
}

describe('a file written atomically', () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'whole-files-'));
  });
  afterEach(() => {
    jest.restoreAllMocks();
    syncBuiltinESMExports();
    rmSync(directory, { recursive: true, force: true });
  });

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
    const refused = refuseLinks(code);
    createWhole(path, 'one', 0o600);
    expect(() => createWhole(path, 'two', 0o600)).toThrow(expect.objectContaining({ code: 'EEXIST' }));
    expect(refused).toHaveBeenCalledTimes(2);
    expect([readFileSync(path, 'utf8'), statSync(path).mode & 0o777]).toEqual(['one', 0o600]);
    expect(readdirSync(directory)).toEqual(['file']);
  });

  it('leaves nothing behind when it cannot be written', () => {
    mkdirSync(join(directory, 'taken'));
    expect(() => writeWhole(join(directory, 'taken'), 'text')).toThrow();
    expect(readdirSync(directory)).toEqual(['taken']);
  });
});
