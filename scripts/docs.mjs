// Generates the parts of the documentation that come from the code: docs/settings.md, docs/commands.md and docs/openapi.json.
import { join } from 'node:path';
import { ensureBuilt, ensureInstalled, root } from './prepare.mjs';
import { runWithNode } from './run-with-node.mjs';

ensureInstalled({ development: true });
ensureBuilt();
await runWithNode(join(root, 'dist', 'src', 'cli', 'write-docs.js'), process.argv.slice(2));
