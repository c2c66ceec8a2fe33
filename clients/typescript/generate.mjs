// Writes src/schema.d.ts from the OpenAPI document of the service. The first line tells which document by its hash: so the tests of the
// service find types that are out of date, without the generator, which needs another major version of TypeScript than the service.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import openapiTS, { astToString, COMMENT_HEADER } from 'openapi-typescript';

const document = readFileSync(new URL('../../docs/openapi.json', import.meta.url));
const types = astToString(await openapiTS(document, { defaultNonNullable: false }));
const hash = createHash('sha256').update(document).digest('hex');
writeFileSync(
  new URL('src/schema.d.ts', import.meta.url),
  `// Types of docs/openapi.json, SHA-256 ${hash}\n${COMMENT_HEADER}${types}`,
);
