import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { Database } from '../../../src/platform/database/database.js';
import { createTestDatabase } from '../databases.js';
import { listeningUrl, startServiceProcess } from './service-process.js';

/** The compiled service in a separate process, with its own database. */
export interface RealService {
  readonly url: string;
  /** Connects as the owner of the tables. */
  readonly database: Database;
  readonly databaseUrl: string;
  /** Its standard output and standard error so far. */
  output(): string;
  /** Stops the process as an operator would; its database remains until {@link close}. */
  stop(): Promise<void>;
  close(): Promise<void>;
}

/** @param maxOpenFiles as for {@link startServiceProcess} */
export async function startRealService(
  environment: Readonly<Record<string, string>>,
  maxOpenFiles?: number,
): Promise<RealService> {
  const database = await createTestDatabase();
  const owner = new pg.Pool({ connectionString: database.url });
  owner.on('error', () => undefined); // it may still be closing when the database is dropped
  const directory = mkdtempSync(join(tmpdir(), 'forecasting-real-'));
  const settings = { DATABASE_URL: database.url, DATA_DIR: directory, PORT: '0', DEMO: 'off', WORKER_THREADS: '1' };
  const service = startServiceProcess({ ...settings, ...environment }, [], 'pipe', maxOpenFiles);
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
