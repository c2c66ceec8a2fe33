import { join } from 'node:path';
import { PROJECT_ROOT } from '../../dist/config/paths.js';
import { discardDataDirectory } from '../../dist/src/platform/embedded-postgres/cluster.js';

export default async function globalTeardown() {
  await globalThis.testServer?.stop('immediate');
  discardDataDirectory(join(PROJECT_ROOT, '.data', `test-${process.pid}`));
}
