import { chmodSync, mkdirSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT_ROOT } from '../../config/paths.js';
import { discardDataDirectory } from '../../src/platform/embedded-postgres/cluster.js';
import { EmbeddedPostgres } from '../../src/platform/embedded-postgres/embedded-postgres.js';

/** An embedded PostgreSQL of a benchmark's own. */
export interface ScratchServer {
  readonly url: string;
  /** Where its data are, and others of the benchmark may be. */
  readonly directory: string;
  /** Stops it and removes the directory. */
  discard(): Promise<void>;
}

/** @param parameters of the server; without any it is as durable as that of the service */
export async function startScratchServer(parameters: Readonly<Record<string, string>> = {}): Promise<ScratchServer> {
  mkdirSync(join(PROJECT_ROOT, '.data'), { recursive: true });
  const directory = mkdtempSync(join(PROJECT_ROOT, '.data', 'bench-'));
  chmodSync(directory, 0o755); // a server that runs as another user keeps its files here only if it may pass
  const server = await EmbeddedPostgres.start({ dataDirectory: directory, password: 'bench-only', parameters });
  return {
    url: server.url,
    directory,
    discard: async () => {
      await server.stop('immediate');
      discardDataDirectory(directory);
    },
  };
}
