import { globSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { PROJECT_ROOT } from '../../../config/paths.js';

const AREAS = {
  'short histories': [
    'src/forecasting/routing/',
    'src/forecasting/intermittent/',
    'src/forecasting/pool-workspace.spec.ts',
  ],
  forecasting: ['src/forecasting/'],
  platform: ['src/platform/'],
  data: ['src/connectors/', 'src/runs/', 'src/series/'],
  others: [''],
} as const;

/** Runs the specs of an area: those of its folders that no earlier area names, in alphabetical order. */
export async function runSpecs(area: keyof typeof AREAS): Promise<void> {
  const specs = globSync('{src,config,bench,training}/**/*.spec.ts', { cwd: PROJECT_ROOT }).toSorted();
  for (const spec of specs) {
    const [first] = Object.entries(AREAS).find(([, starts]) => starts.some((start) => spec.startsWith(start))) ?? [];
    if (first === area) await import(pathToFileURL(join(PROJECT_ROOT, spec)).href);
  }
}
