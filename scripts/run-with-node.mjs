import { spawn } from 'node:child_process';
import module from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { node, root } from './prepare.mjs';

/** Where Node keeps what it has compiled of 3,000 modules: to compile them again takes a sixth of an admin command. */
const COMPILED = join(root, 'node_modules', '.cache', 'compiled');

/**
 * Runs a program with the project's Node: in this very process when it already is that Node, so that signals and exit
 * codes need no relaying; else in a child that gets every signal this process gets.
 */
export async function runWithNode(program, args) {
  if (Number(process.versions.node.split('.')[0]) >= 24) {
    process.argv = [process.argv[0], program, ...args];
    module.enableCompileCache(COMPILED); // does nothing where it cannot be written
    await import(pathToFileURL(program).href);
    return;
  }
  const child = spawn(node, [program, ...args], {
    stdio: 'inherit',
    env: { NODE_COMPILE_CACHE: COMPILED, ...process.env },
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
}
