import { join } from 'node:path';
import { ensureBuilt, ensureInstalled, root } from './prepare.mjs';
import { runWithNode } from './run-with-node.mjs';

ensureInstalled({ development: false });
ensureBuilt();
await runWithNode(join(root, 'dist', 'src', 'main.js'), process.argv.slice(2));
