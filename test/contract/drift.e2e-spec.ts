import 'reflect-metadata';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { PROJECT_ROOT } from '../../config/paths.js';
import { settingsTable } from '../../config/settings-table.js';
import { prepareDatabase, schemaDrift } from '../../src/platform/database/setup/prepare-database.js';
import { SCHEMA } from '../../src/schema.js';
import { commandReference } from '../../src/cli/command-reference.js';
import { documentWithoutDatabase } from '../../src/start/openapi/document.js';
import { createTestDatabase } from '../support/databases.js';

const committed = (path: string): string => readFileSync(join(PROJECT_ROOT, path), 'utf8');

type Json = Record<string, unknown>;

/** The document as text by path, component and top-level member. */
function parts(document: Json): Map<string, string> {
  const { paths, components, ...rest } = document as { paths: Json; components: Record<string, Json> };
  const named = [paths, ...Object.values(components), rest].flatMap((group) => Object.entries(group));
  return new Map(named.map(([name, part]) => [name, JSON.stringify(part)]));
}

/** Committed generated files must match the code: `npm run docs` regenerates most of them. */
describe('generated files', () => {
  it('docs/openapi.json matches the routes', async () => {
    const expected = parts(JSON.parse(JSON.stringify(await documentWithoutDatabase())) as Json);
    const actual = parts(JSON.parse(committed('docs/openapi.json')) as Json);
    const names = new Set([...expected.keys(), ...actual.keys()]);
    // names only: `npm run docs` and the version control show the rest
    expect([...names].filter((name) => expected.get(name) !== actual.get(name))).toEqual([]);
  });

  // `npm run generate` in clients/typescript and `python3 generate.py` in clients/python regenerate them
  it.each([
    ['clients/typescript/src/schema.d.ts', '//'],
    ['clients/python/src/demand_forecasting_client/schema.py', '#'],
  ])('%s has the types of docs/openapi.json', (path, comment) => {
    const document = createHash('sha256').update(committed('docs/openapi.json')).digest('hex');
    const [firstLine] = committed(path).split('\n');
    expect(firstLine).toBe(`${comment} Types of docs/openapi.json, SHA-256 ${document}`);
  });

  it('docs/settings.md matches the settings', () => {
    expect(committed('docs/settings.md')).toBe(settingsTable());
  });

  it('docs/commands.md matches the command line', () => {
    expect(committed('docs/commands.md')).toBe(commandReference());
  });

  it.each(['migrated', 'otherwise collated'] as const)(
    'the migrations create the schema that the entities declare, in a database %s',
    async (kind) => {
      const database = await createTestDatabase(kind);
      try {
        await prepareDatabase(SCHEMA, database.url);
        expect(await schemaDrift(SCHEMA, database.url)).toBe('');
      } finally {
        await database.drop();
      }
    },
  );
});
