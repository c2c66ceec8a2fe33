import { randomUUID } from 'node:crypto';
import { closeSync, linkSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { isNativeError } from 'node:util/types';
import { codeOf } from './faults.js';

/** Writes a file atomically: a full disk or a crash leaves the previous file, or none, but never half of the new one. */
export function writeWhole(path: string, content: string | Uint8Array, mode = 0o644): void {
  beside(path, content, mode, (partial) => renameSync(partial, path));
}

/** Like {@link writeWhole}, for a file that must not exist yet. @throws with code EEXIST if another process was first */
export function createWhole(path: string, text: string, mode: number): void {
  beside(path, text, mode, (partial) => {
    try {
      linkSync(partial, path);
    } catch (error) {
      if (!WITHOUT_LINKS.includes(codeOf(error))) throw error;
      createInPlace(path, text, mode);
    }
  });
}

/** Error codes of file systems without hard links: exFAT, SMB, shared folders of virtual machines, some FUSE file systems. */
const WITHOUT_LINKS = ['EPERM', 'ENOTSUP', 'ENOSYS'];

/** The best that these allow: a full disk leaves no file, but a crash may leave an empty one. */
function createInPlace(path: string, text: string, mode: number): void {
  const file = openSync(path, 'wx', mode);
  try {
    writeFileSync(file, text, { flush: true });
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
}

function beside(path: string, content: string | Uint8Array, mode: number, put: (partial: string) => void): void {
  const partial = `${path}.${randomUUID()}`;
  try {
    writeFileSync(partial, content, { mode, flush: true });
    put(partial);
  } catch (error) {
    throw naming(path, error);
  } finally {
    rmSync(partial, { force: true });
  }
}

/** Node names no file in the error of a write that finds the disk full. */
function naming(path: string, error: unknown): unknown {
  if (isNativeError(error) && !('path' in error)) error.message += ` '${path}'`;
  return error;
}
