import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

function findProjectRoot(from: string): string {
  if (existsSync(join(from, 'package.json'))) return from;
  const parent = dirname(from);
  if (parent === from) throw new Error('package.json was not found in any parent directory of the running code');
  return findProjectRoot(parent);
}

/** Directory of package.json: the same whether the code runs from source (tests) or from dist/. */
export const PROJECT_ROOT = findProjectRoot(import.meta.dirname);
