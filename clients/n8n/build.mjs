// Compiles the nodes to dist/, where n8n looks for them, with the icons and codex files beside them.
import { spawnSync } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

process.chdir(fileURLToPath(new URL('.', import.meta.url)));
rmSync('dist', { recursive: true, force: true });
const compiler = createRequire(import.meta.url).resolve('typescript/lib/tsc.js');
const { status } = spawnSync(process.execPath, [compiler, '--project', '.'], { stdio: 'inherit' });
if (status !== 0) process.exit(1);
cpSync('icons', 'dist/icons', { recursive: true });
cpSync('nodes', 'dist/nodes', { recursive: true, filter: (path) => !path.endsWith('.ts') });
