import { createReadStream, createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { Database } from '../src/platform/database/database.js';
import { prepareDatabase } from '../src/platform/database/setup/prepare-database.js';
import { asTenant } from '../src/platform/database/scope.js';
import { openServiceRole } from '../src/platform/database/setup/service-role.js';
import { newId } from '../src/platform/ids.js';
import { SCHEMA } from '../src/schema.js';
import { storeUpload, type Upload } from '../src/series/upload/store/store-upload.js';
import { UsageError } from '../src/cli/input/usage-error.js';
import type { Arguments } from './support/arguments.js';
import { watchMemory } from './support/resources.js';
import { startScratchServer } from './support/scratch-server.js';

const ROWS = 1_000_000;
/** Shapes of a million rows: many short monthly histories, few long daily ones, and the first sorted by date. */
const SHAPES = {
  monthly: { series: 20_000, byDate: false, daily: false },
  daily: { series: 1_000, byDate: false, daily: true },
  monthly_by_date: { series: 20_000, byDate: true, daily: false },
} as const;

interface Measurement {
  readonly rows: number;
  readonly upload_seconds: number;
  readonly rows_per_second: number;
  readonly copy_seconds: number;
  readonly ratio: number;
  readonly memory_growth_mb: number;
}

/** See {@link run}. */
export const OPTIONS = { values: ['rows'] };

/**
 * Time and memory of an upload of a million CSV rows, beside PostgreSQL's own COPY of the same file before and after it,
 * on a throw-away embedded server with its durable defaults. Option: `--rows`.
 */
export async function run(options: Arguments): Promise<object> {
  const rows = options.count('rows') ?? ROWS;
  if (rows < 1_000) throw new UsageError(`--rows: expected at least 1000, got ${rows}`);
  const server = await startScratchServer();
  await prepareDatabase(SCHEMA, server.url);
  const { url } = await openServiceRole(SCHEMA, server.url, { givenUrl: undefined, password: 'bench-only' });
  const pool = new pg.Pool({ connectionString: server.url, max: 2 });
  const servicePool = new pg.Pool({ connectionString: url, max: 1 });
  try {
    await pool.query('CREATE TABLE plain (unique_id text, ds date, y float8)');
    const report: Record<string, Measurement> = {};
    for (const [name, shape] of Object.entries(SHAPES)) {
      const file = join(server.directory, `${name}.csv`);
      await pipeline(Readable.from(csvLines(rows, shape)), createWriteStream(file));
      report[name] = await measure(pool, new Database(servicePool), file, rows);
    }
    return report;
  } finally {
    await pool.end();
    await servicePool.end();
    await server.discard();
  }
}

async function measure(pool: pg.Pool, database: Database, file: string, rows: number): Promise<Measurement> {
  const tenant = { organizationId: newId(), workspaceId: newId() };
  await pool.query(`INSERT INTO organizations (id, name, plan, created_at) VALUES ($1, 'bench', 'growth', now())`, [
    tenant.organizationId,
  ]);
  await pool.query(
    `INSERT INTO workspaces (id, organization_id, name, time_zone, created_at) VALUES ($1, $2, 'bench', 'UTC', now())`,
    [tenant.workspaceId, tenant.organizationId],
  );
  const before = await secondsOfCopy(pool, file);
  const memory = process.memoryUsage.rss();
  const mostMemory = watchMemory();
  const started = performance.now();
  const upload: Upload = {
    format: 'csv',
    body: createReadStream(file),
    now: new Date(),
  };
  const report = await asTenant(tenant, () =>
    storeUpload(database, upload, (_, __, merge) => merge({ tenant, fillZero: false })),
  );
  const seconds = (performance.now() - started) / 1_000;
  const growth = mostMemory() - memory;
  if (report.rows !== rows) throw new Error(`${report.rows} rows were stored instead of ${rows}`);
  const copy = (before + (await secondsOfCopy(pool, file))) / 2;
  return {
    rows,
    upload_seconds: seconds,
    rows_per_second: rows / seconds,
    copy_seconds: copy,
    ratio: seconds / copy,
    memory_growth_mb: growth / 1_048_576,
  };
}

async function secondsOfCopy(pool: pg.Pool, file: string): Promise<number> {
  await pool.query('TRUNCATE plain');
  const client = await pool.connect();
  try {
    const started = performance.now();
    const copy = client.query(copyFrom('COPY plain FROM STDIN (FORMAT csv, HEADER)'));
    await pipeline(createReadStream(file, { highWaterMark: 262_144 }), copy);
    return (performance.now() - started) / 1_000;
  } finally {
    client.release();
  }
}

/** Line by line: the memory of a file that was built as a whole would hide what the upload after it takes. */
function* csvLines(rows: number, shape: (typeof SHAPES)[keyof typeof SHAPES]): Generator<string> {
  const series = Math.min(shape.series, rows);
  const steps = Math.floor(rows / series);
  const days = Array.from({ length: steps + 1 }, (_, step) => {
    const date = shape.daily ? new Date(Date.UTC(2020, 0, 1 + step)) : new Date(Date.UTC(2020, step, 1));
    return date.toISOString().slice(0, 10);
  });
  yield 'unique_id,ds,y\n';
  for (let row = 0; row < steps * series; row += 1) {
    const one = shape.byDate ? row % series : Math.floor(row / steps) % series;
    const step = shape.byDate ? Math.floor(row / series) : row % steps;
    yield `SKU-${String(one).padStart(6, '0')},${days[step]},${((one * 31 + step * 17) % 997) / 4}\n`;
  }
}
