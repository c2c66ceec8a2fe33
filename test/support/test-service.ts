import 'reflect-metadata';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { OpenAPIObject } from '@nestjs/swagger';
import pg from 'pg';
import { PROJECT_ROOT } from '../../config/paths.js';
import { loadSettings, type Settings } from '../../config/settings.js';
import type { Role } from '../../src/app.module.js';
import { loadSecrets, type Secrets } from '../../src/platform/crypto/secrets.js';
import { Database } from '../../src/platform/database/database.js';
import { Lifecycle } from '../../src/platform/lifecycle.js';
import { createLogger } from '../../src/platform/logging/logger.js';
import { Metrics } from '../../src/platform/metrics/metrics.js';
import { createApp } from '../../src/start/create-app.js';
import { openDatabase } from '../../src/start/open-database.js';
import { TEST_ENCRYPTION_KEY } from './builders.js';
import { watchContract } from './contract.js';
import { createTestDatabase, type TestDatabase } from './databases.js';

export interface TestService {
  /** URL without a trailing slash, for example http://127.0.0.1:41234. */
  readonly url: string;
  readonly app: NestFastifyApplication;
  /** Connects as the owner of the tables, to whom policies do not apply; the service's own is `app.get(Database)`. */
  readonly database: Database;
  /** For the owner of the tables. */
  readonly databaseUrl: string;
  /** For the service's own role. */
  readonly serviceUrl: string;
  readonly settings: Settings;
  readonly secrets: Secrets;
  close(): Promise<void>;
}

export interface TestServiceOptions {
  readonly role?: Role;
  /** Settings by environment variable. */
  readonly environment?: Readonly<Record<string, string>>;
  /** The document that responses are validated against, if not the committed one. */
  readonly document?: OpenAPIObject;
  /** Share the database of another test service, as a second process would. */
  readonly database?: TestDatabase;
}

/** The published document. A separate test checks that it matches the routes; generating it takes a third of a second. */
export function committedOpenApi(): OpenAPIObject {
  return JSON.parse(readFileSync(join(PROJECT_ROOT, 'docs', 'openapi.json'), 'utf8')) as OpenAPIObject;
}

/** The document that responses are validated against, read once for all services of a file. */
let published: OpenAPIObject | undefined;

/**
 * The real service on a real port with its own database; the caller closes it, and closing fails if any response violated
 * docs/openapi.json.
 */
export async function startTestService(options: TestServiceOptions = {}): Promise<TestService> {
  const database = options.database ?? (await createTestDatabase());
  const dataDirectory = mkdtempSync(join(tmpdir(), 'forecasting-test-'));
  const settings = loadSettings({
    DATA_DIR: dataDirectory,
    DATABASE_URL: database.url,
    PORT: '0',
    LOG_LEVEL: 'error',
    WORKER_THREADS: '2',
    DEMO: 'off',
    REQUESTS_PER_MINUTE: '10000000',
    API_KEY_PEPPER: 'pepper-of-the-test-services-only-0123456789',
    ENCRYPTION_KEY: TEST_ENCRYPTION_KEY,
    ...options.environment,
  });
  const secrets = loadSecrets(settings);
  const opened = await openDatabase(settings, secrets);
  const lifecycle = new Lifecycle();
  const logger = createLogger(settings);
  const app = await createApp({
    settings,
    secrets,
    databaseUrl: opened.url,
    role: options.role ?? 'all',
    logger,
    lifecycle,
    metrics: new Metrics(),
  });
  const document = options.document ?? (published ??= committedOpenApi());
  const outsideContract = watchContract(app.getHttpAdapter().getInstance(), document);
  await app.listen(0, '127.0.0.1');
  lifecycle.markReady();
  const owner = new pg.Pool({ connectionString: database.url, max: 8 });
  owner.on('error', () => undefined); // a test that terminates connections does so on purpose
  return {
    url: await app.getUrl(),
    app,
    database: new Database(owner, { kind: 'system', reason: 'tests' }),
    databaseUrl: database.url,
    serviceUrl: opened.url,
    settings,
    secrets,
    close: async () => {
      lifecycle.markDraining();
      await app.close();
      await owner.end();
      if (options.database === undefined) await database.drop();
      rmSync(dataDirectory, { recursive: true, force: true });
      if (outsideContract.length > 0) {
        throw new Error(
          `replies outside docs/openapi.json, which \`npm run docs\` writes anew:\n${[...new Set(outsideContract)].slice(0, 20).join('\n')}`,
        );
      }
    },
  };
}
