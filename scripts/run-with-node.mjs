import { spawn } from 'node:child_process';
import module from 'node:module';
import { pathToFileURL } from 'node:url';
import { compiled, node } from './prepare.mjs';

/**
 * Runs a program with the project's Node: in this process if it already is that Node, so that signals and exit codes need no forwarding;
 * otherwise in a child that receives every signal sent to this process.
 */
export async function runWithNode(program, args) {
  if (Number(process.versions.node.split('.')[0]) >= 24) {
    process.argv = [process.argv[0], program, ...args];
    module.enableCompileCache(compiled); // a no-op if it is not writable
    await import(pathToFileURL(program).href);
    return;
  }
  const child = spawn(node, [program, ...args], {
    stdio: 'inherit',
    env: { NODE_COMPILE_CACHE: compiled, ...process.env },
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
}
