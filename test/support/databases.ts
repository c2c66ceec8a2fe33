import { randomBytes } from 'node:crypto';
import pg from 'pg';

const OBJECT_IN_USE = '55006';
/** Migrated once in the global setup; copying it takes a tenth of a second. */
const TEMPLATE_DATABASE = 'test_template';
/** Copied file by file: PostgreSQL's default also writes every page of the copy to the WAL, which takes three times as long. */
const copyOf = (name: string): string => ` TEMPLATE ${name} STRATEGY FILE_COPY`;

function adminUrl(): string {
  const url = process.env['TEST_POSTGRES_URL'];
  if (url === undefined) throw new Error('the global set-up of the end-to-end tests has not run');
  return url;
}

/** Connects as a superuser, outside the suites' databases. */
export async function withAdmin<T>(work: (admin: pg.Client) => Promise<T>): Promise<T> {
  const admin = new pg.Client({ connectionString: adminUrl() });
  await admin.connect();
  try {
    return await work(admin);
  } finally {
    await admin.end();
  }
}

export interface TestDatabase {
  /** Connects as the owner of the tables, a superuser. */
  readonly url: string;
  drop(): Promise<void>;
}

const MADE_FROM = {
  migrated: copyOf(TEMPLATE_DATABASE),
  empty: '',
  /** Empty, and with a collation other than `C`, like the servers of Linux distributions. */
  'otherwise collated': ` TEMPLATE template0 LOCALE_PROVIDER libc LC_COLLATE '${process.platform === 'darwin' ? 'en_US.UTF-8' : 'C.UTF-8'}'`,
};

/** Retries: PostgreSQL waits five seconds for others to leave the database, which is too short on a busy machine. */
async function dropUnused(admin: pg.Client, name: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return void (await admin.query(`DROP DATABASE IF EXISTS ${name}`));
    } catch (error) {
      if ((error as pg.DatabaseError).code !== OBJECT_IN_USE || attempt >= 12) throw error;
    }
  }
}

/** Creates a database for a suite, either migrated (a copy of the template) or empty. */
export function createTestDatabase(kind: keyof typeof MADE_FROM = 'migrated'): Promise<TestDatabase> {
  return createFrom(MADE_FROM[kind]);
}

/** A copy of a database without connections. */
export function copyTestDatabase({ url }: TestDatabase): Promise<TestDatabase> {
  return createFrom(copyOf(new URL(url).pathname.slice(1)));
}

async function createFrom(options: string): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  await withAdmin((admin) => admin.query(`CREATE DATABASE ${name}${options}`));
  const url = new URL(adminUrl());
  url.pathname = `/${name}`;
  return {
    url: url.href,
    drop: async () => {
      // Without FORCE: terminated connections would raise errors that no listener handles any more. Connections that are being closed, such
      // as those of an ended pool, are waited for; a suite that leaves one open fails.
      await withAdmin((admin) => dropUnused(admin, name));
    },
  };
}
