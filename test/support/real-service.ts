import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { Database } from '../../src/platform/database/database.js';
import { createTestDatabase } from './databases.js';
import { listeningUrl, startServiceProcess } from './service-process.js';

/** The compiled service as a process of its own, over a database of its own. */
export interface RealService {
  readonly url: string;
  /** As the owner of the tables. */
  readonly database: Database;
  readonly databaseUrl: string;
  /** What it has written to standard output and standard error so far. */
  output(): string;
  /** Ends the process as an operator would; its database stays until {@link close}. */
  stop(): Promise<void>;
  close(): Promise<void>;
}

export async function startRealService(environment: Readonly<Record<string, string>>): Promise<RealService> {
  const database = await createTestDatabase();
  const owner = new pg.Pool({ connectionString: database.url });
  owner.on('error', () => undefined); // it may still be closing when the database is dropped
  const directory = mkdtempSync(join(tmpdir(), 'forecasting-real-'));
  const service = startServiceProcess({
    DATABASE_URL: database.url,
    DATA_DIR: directory,
    PORT: '0',
    DEMO: 'off',
    WORKER_THREADS: '1',
    ...environment,
  });
  const url = await listeningUrl(service);
  return {
    url,
    database: new Database(owner, { kind: 'system', reason: 'tests' }),
    databaseUrl: database.url,
    output: () => service.output(),
    stop: async () => {
      await service.end('SIGTERM');
    },
    close: async () => {
      await service.end('SIGTERM');
      await owner.end();
      await database.drop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
