import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { prepareDatabase } from '../../src/platform/database/setup/prepare-database.js';
import { Database } from '../../src/platform/database/database.js';
import { discardDataDirectory } from '../../src/platform/embedded-postgres/cluster.js';
import { EmbeddedPostgres } from '../../src/platform/embedded-postgres/embedded-postgres.js';
import { SCHEMA } from '../../src/schema.js';
import { eventually } from '../support/eventually.js';
import { type ServiceProcess, startServiceProcess } from '../support/processes/service-process.js';

const PEPPER = 'pepper-of-the-fault-tests-only-0123456789';

/** A database server and service processes of their own, to be killed at will. */
export class Cluster {
  readonly secrets = { apiKeyPepper: PEPPER, encryptionKey: Buffer.alloc(32), databasePassword: 'faults' };
  private readonly processes = new Set<ServiceProcess>();

  private constructor(
    private readonly directory: string,
    private server: EmbeddedPostgres,
    private readonly pool: pg.Pool,
    readonly database: Database,
  ) {}

  static async start(): Promise<Cluster> {
    const directory = mkdtempSync(join(tmpdir(), 'forecasting-faults-'));
    const server = await EmbeddedPostgres.start({ dataDirectory: directory, password: 'faults' });
    await prepareDatabase(SCHEMA, server.url);
    const pool = new pg.Pool({ connectionString: server.url, max: 4, connectionTimeoutMillis: 2_000 });
    pool.on('error', () => undefined);
    return new Cluster(directory, server, pool, new Database(pool, { kind: 'system', reason: 'tests' }));
  }

  /** Starts a process of the service; resolves when it is ready. */
  async spawn(role: 'api' | 'worker', port: number): Promise<ServiceProcess> {
    const process = startServiceProcess(
      {
        DATABASE_URL: this.server.url,
        DATA_DIR: join(this.directory, `process-${port}`),
        PORT: String(port),
        API_KEY_PEPPER: PEPPER,
        ENCRYPTION_KEY: '0'.repeat(64),
        DEMO: 'off',
        WORKER_THREADS: '1',
        LOG_LEVEL: 'error',
      },
      [`--role=${role}`],
    );
    this.processes.add(process);
    await eventually(`the ${role} on port ${port} is ready`, async () =>
      (await fetch(`http://127.0.0.1:${port}/health/ready`)).ok ? true : undefined,
    ).catch((error: unknown) => {
      throw new Error(`${String(error)}\nit wrote: ${process.output()}`);
    });
    return process;
  }

  async kill(process: ServiceProcess): Promise<void> {
    this.processes.delete(process);
    await process.end('SIGKILL');
  }

  /** Stops the database server as a power cut would and starts it again on the same port. */
  async crashDatabase(): Promise<void> {
    const port = new URL(this.server.url).port;
    await this.server.stop('immediate');
    this.server = await EmbeddedPostgres.start({
      dataDirectory: this.directory,
      password: 'faults',
      port: Number(port),
    });
  }

  async stop(): Promise<void> {
    for (const process of this.processes) await process.end('SIGKILL');
    await this.pool.end();
    await this.server.stop('immediate');
    discardDataDirectory(this.directory);
  }
}
