import { randomUUID } from 'node:crypto';
import { linkSync, renameSync, rmSync, writeFileSync } from 'node:fs';

/** Writes the file so that a full disk or the end of the process leaves the former one, or none, but never half of it. */
export function writeWhole(path: string, text: string, mode = 0o644): void {
  beside(path, text, mode, (partial) => renameSync(partial, path));
}

/** Likewise, where the file must not be there yet. @throws with code EEXIST where another process was first */
export function createWhole(path: string, text: string, mode = 0o644): void {
  beside(path, text, mode, (partial) => linkSync(partial, path));
}

function beside(path: string, text: string, mode: number, put: (partial: string) => void): void {
  const partial = `${path}.${randomUUID()}`;
  try {
    writeFileSync(partial, text, { mode, flush: true });
    put(partial);
  } finally {
    rmSync(partial, { force: true });
  }
}
