import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import pg from 'pg';
import { PROJECT_ROOT } from '../../config/paths.js';
import { loadSettings } from '../../config/settings.js';
import { issueApiKey } from '../../src/access/api-keys/issue/issue-api-key.js';
import { insertOrganization } from '../../src/access/organizations/organizations.queries.js';
import { insertWorkspace } from '../../src/access/organizations/workspaces/workspaces.queries.js';
import { loadSecrets, type Secrets } from '../../src/platform/crypto/secrets.js';
import { Database } from '../../src/platform/database/database.js';
import { newId } from '../../src/platform/ids.js';
import { Lifecycle } from '../../src/platform/lifecycle.js';
import { createLogger } from '../../src/platform/logging/logger.js';
import { Metrics } from '../../src/platform/metrics/metrics.js';
import { createApp } from '../../src/start/create-app.js';
import { openDatabase } from '../../src/start/open-database.js';
import type { LoadResult, LoadTask } from './http-load.js';
import { startScratchServer } from './scratch-server.js';

/** The whole service in this process over an embedded PostgreSQL of its own, with one tenant. */
export interface BenchService {
  readonly url: string;
  readonly app: NestFastifyApplication;
  /** By the role that the service works as. */
  readonly serviceUrl: string;
  /** By the owner of the tables. */
  readonly database: Database;
  readonly organizationId: string;
  readonly workspaceId: string;
  readonly apiKey: string;
  close(): Promise<void>;
}

/** Starts it; the caller closes it. */
export async function startBenchService(): Promise<BenchService> {
  const server = await startScratchServer();
  const settings = loadSettings({
    DATA_DIR: server.directory,
    DATABASE_URL: server.url,
    PORT: '0',
    LOG_LEVEL: 'error',
    DEMO: 'off',
    REQUESTS_PER_MINUTE: '10000000',
  });
  const secrets = loadSecrets(settings);
  const { url: serviceUrl } = await openDatabase(settings, secrets);
  const lifecycle = new Lifecycle();
  const logger = createLogger(settings);
  const metrics = new Metrics();
  const app = await createApp({ settings, secrets, databaseUrl: serviceUrl, role: 'all', logger, lifecycle, metrics });
  await app.listen(0, '127.0.0.1');
  lifecycle.markReady();
  const owner = new pg.Pool({ connectionString: server.url, max: 2 });
  const database = new Database(owner, { kind: 'system', reason: 'benchmark' });
  return {
    url: await app.getUrl(),
    app,
    serviceUrl,
    database,
    ...(await createTenant(database, secrets)),
    close: async () => {
      lifecycle.markDraining();
      await app.close();
      await owner.end();
      await server.discard();
    },
  };
}

async function createTenant(
  database: Database,
  secrets: Secrets,
): Promise<{ organizationId: string; workspaceId: string; apiKey: string }> {
  const organizationId = newId();
  const workspaceId = newId();
  const createdAt = new Date();
  await insertOrganization(database, { id: organizationId, name: 'Bench', plan: 'scale', createdAt });
  await insertWorkspace(database, organizationId, { id: workspaceId, name: 'Bench', timeZone: 'UTC', createdAt });
  const by = { pepper: secrets.apiKeyPepper, now: createdAt };
  const { plaintext } = await issueApiKey(database, organizationId, { workspaceId, name: 'bench' }, by);
  return { organizationId, workspaceId, apiKey: plaintext };
}

/** A process that sends requests over loopback. */
export class HttpLoad {
  private readonly child: ChildProcess = fork(join(PROJECT_ROOT, 'dist', 'bench', 'support', 'http-load.js'));

  run(task: LoadTask): Promise<LoadResult> {
    return new Promise((resolve, reject) => {
      const gone = (code: number | null): void => reject(new Error(`the load process ended with ${code}`));
      this.child.once('exit', gone);
      this.child.once('message', (result: LoadResult) => {
        this.child.off('exit', gone);
        if (result.failed > 0 && task.kind !== 'readers')
          reject(new Error(`${result.failed} requests to ${task.url} failed`));
        else resolve(result);
      });
      this.child.send(task);
    });
  }

  close(): void {
    this.child.kill();
  }
}
