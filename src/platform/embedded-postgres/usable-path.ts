import { EmbeddedPostgresError } from './embedded-postgres-error.js';

/** @throws {EmbeddedPostgresError} for a path that the tools, which hand theirs to a shell in double quotes, would not find */
export function requireUsablePath(path: string, wayOut: string): void {
  if (!/["$`\n]/.test(path)) return;
  throw new EmbeddedPostgresError(
    `the embedded database cannot use the path ${JSON.stringify(path)}: its tools stumble over $, ", \` and line breaks; ${wayOut}`,
  );
}
