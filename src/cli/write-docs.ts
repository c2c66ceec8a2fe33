import 'reflect-metadata';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT_ROOT } from '../../config/paths.js';
import { settingsTable } from '../../config/settings-table.js';
import { commandReference } from './command-reference.js';
import { documentWithoutDatabase } from '../start/openapi/document.js';

/** Writes the parts of the documentation that are generated from the code; with --check it only reports which are out of date. */
const files: Readonly<Record<string, string>> = {
  'docs/settings.md': settingsTable(),
  'docs/commands.md': commandReference(),
  'docs/openapi.json': `${JSON.stringify(await documentWithoutDatabase(), null, 2)}\n`,
};

const stale = Object.entries(files).filter(([path, content]) => {
  try {
    return readFileSync(join(PROJECT_ROOT, path), 'utf8') !== content;
  } catch {
    return true; // does not exist yet
  }
});

if (process.argv.includes('--check')) {
  for (const [path] of stale) process.stderr.write(`${path} is out of date; run npm run docs\n`);
  process.exit(stale.length === 0 ? 0 : 1);
}
for (const [path, content] of stale) {
  writeFileSync(join(PROJECT_ROOT, path), content);
  process.stdout.write(`wrote ${path}\n`);
}
process.exit(0);
