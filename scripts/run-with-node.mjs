import { spawn } from 'node:child_process';
import module from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { node, root } from './prepare.mjs';

/** Node's compile cache for 3,000 modules: compiling them again takes a sixth of the time of an admin command. */
const COMPILED = join(root, 'node_modules', '.cache', 'compiled');

/**
 * Runs a program with the project's Node: in this process if it already is that Node, so that signals and exit codes need no forwarding;
 * otherwise in a child that receives every signal sent to this process.
 */
export async function runWithNode(program, args) {
  if (Number(process.versions.node.split('.')[0]) >= 24) {
    process.argv = [process.argv[0], program, ...args];
    module.enableCompileCache(COMPILED); // a no-op if it is not writable
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
