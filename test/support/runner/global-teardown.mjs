import { discardDataDirectory } from '../../../dist/src/platform/embedded-postgres/cluster.js';

export default async function globalTeardown() {
  await globalThis.testServer?.stop('immediate');
  discardDataDirectory(globalThis.testDataDirectory);
}
