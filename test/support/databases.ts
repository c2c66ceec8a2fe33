import { randomBytes } from 'node:crypto';
import pg from 'pg';

const OBJECT_IN_USE = '55006';
/** Migrated once in the global set-up; copying it takes a tenth of a second. */
const TEMPLATE_DATABASE = 'test_template';
/** Copied file by file: to write every page of the copy to the log as well, as PostgreSQL does by default, takes three times as long. */
const copyOf = (name: string): string => ` TEMPLATE ${name} STRATEGY FILE_COPY`;

function adminUrl(): string {
  const url = process.env['TEST_POSTGRES_URL'];
  if (url === undefined) throw new Error('the global set-up of the end-to-end tests has not run');
  return url;
}

/** Works as a superuser from outside the suites' databases. */
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
  /** By the owner of the tables, a superuser. */
  readonly url: string;
  drop(): Promise<void>;
}

const MADE_FROM = {
  migrated: copyOf(TEMPLATE_DATABASE),
  empty: '',
  /** Empty, and texts are not collated by `C`, as on servers of distributions. */
  'otherwise collated': ` TEMPLATE template0 LOCALE_PROVIDER libc LC_COLLATE '${process.platform === 'darwin' ? 'en_US.UTF-8' : 'C.UTF-8'}'`,
};

/** PostgreSQL waits five seconds for others to leave the database, which are few on a busy machine. */
async function dropUnused(admin: pg.Client, name: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return void (await admin.query(`DROP DATABASE IF EXISTS ${name}`));
    } catch (error) {
      if ((error as pg.DatabaseError).code !== OBJECT_IN_USE || attempt >= 12) throw error;
    }
  }
}

/** A database of its own for a suite, migrated (a copy of the template) or quite empty. */
export function createTestDatabase(kind: keyof typeof MADE_FROM = 'migrated'): Promise<TestDatabase> {
  return createFrom(MADE_FROM[kind]);
}

/** A copy of a database that nobody is connected to. */
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
      // Not by force: to be ended would be an error that nobody listens for any more. Connections that are closing, as those of an
      // ended pool still are, are waited for; a suite that leaves one open fails.
      await withAdmin((admin) => dropUnused(admin, name));
    },
  };
}
