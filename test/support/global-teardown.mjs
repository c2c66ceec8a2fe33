import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT_ROOT } from '../../dist/config/paths.js';

export default async function globalTeardown() {
  await globalThis.testServer?.stop('immediate');
  rmSync(join(PROJECT_ROOT, '.data', `test-${process.pid}`), { recursive: true, force: true });
}
