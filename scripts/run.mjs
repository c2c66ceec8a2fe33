// Runs a compiled program: node scripts/run.mjs <path below dist> [arguments]
import { join } from 'node:path';
import { ensureBuilt, ensureInstalled, root } from './prepare.mjs';
import { runWithNode } from './run-with-node.mjs';

const [program, ...args] = process.argv.slice(2);
// benchmarks need tools that the service does not
ensureInstalled({ development: (program ?? '').startsWith('bench') });
ensureBuilt();
await runWithNode(join(root, 'dist', program), args);
