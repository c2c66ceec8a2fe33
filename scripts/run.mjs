// Runs a compiled program: node scripts/run.mjs <path below dist> [arguments]
import { join } from 'node:path';
import { ensureBuilt, ensureInstalled, root } from './prepare.mjs';
import { runWithNode } from './run-with-node.mjs';

const [program, ...args] = process.argv.slice(2);
ensureInstalled({ development: false });
ensureBuilt();
await runWithNode(join(root, 'dist', program), args);
