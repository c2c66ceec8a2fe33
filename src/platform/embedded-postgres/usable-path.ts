import { EmbeddedPostgresError } from './embedded-postgres-error.js';

/** What a POSIX shell does not take literally inside double quotes, and line breaks, which end the path in postmaster.pid. */
const UNUSABLE = /["`\n]|\\[\\$]|\$[A-Za-z0-9_({@*#?$!-]/;

/** @throws {EmbeddedPostgresError} for a path that the tools would not find, since they pass theirs to a shell in double quotes */
export function requireUsablePath(path: string, wayOut: string): void {
  if (process.platform === 'win32' || !UNUSABLE.test(path)) return;
  throw new EmbeddedPostgresError(
    `the embedded database cannot use the path ${JSON.stringify(path)}: its tools do not support ", \`, line breaks, two backslashes, and $ before a name; ${wayOut}`,
  );
}
