// Compiles the client to dist/, for `import` and for `require`, with the types beside each: Node strips no types of installed packages.
import { spawnSync } from 'node:child_process';
import { copyFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

process.chdir(fileURLToPath(new URL('.', import.meta.url)));
rmSync('dist', { recursive: true, force: true });
const compiler = createRequire(import.meta.url).resolve('typescript/lib/tsc.js');
const kinds = {
  esm: { type: 'module', module: ['nodenext', 'nodenext'] },
  cjs: { type: 'commonjs', module: ['commonjs', 'node10'] },
};
for (const [folder, { type, module: [module, resolution] }] of Object.entries(kinds)) {
  const target = ['--outDir', `dist/${folder}`, '--module', module, '--moduleResolution', resolution];
  const { status } = spawnSync(process.execPath, [compiler, '--project', 'tsconfig.build.json', ...target], { stdio: 'inherit' });
  if (status !== 0) process.exit(1);
  copyFileSync('src/schema.d.ts', `dist/${folder}/schema.d.ts`);
  writeFileSync(`dist/${folder}/package.json`, `${JSON.stringify({ type })}\n`);
}
